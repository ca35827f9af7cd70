import Cryptography
import KeychainModel
import Secrets

@testable import KeychainEngine

/// One item, keys that everybody knows, and the row it is sealed into.
struct ItemFixture: Sendable {
    static let shared = ItemFixture()

    let item = PlainItem(
        itemClass: .genericPassword,
        attributes: [
            .account: .string("ada"),
            .service: .data([0x6D, 0x61, 0x69, 0x6C]),
            .creator: .number(-2),
            .creationDate: .date(762_523_200),
        ],
        accessGroup: "TEAM.app",
        protection: .whenUnlocked,
        accessControl: AccessControl(protection: .whenUnlocked),
        isSynchronizable: false,
        reference: [UInt8](0x10..<0x20)
    )

    /// Makes the columns of any item.
    let digests: LookupDigests

    /// What opens the metadata half.
    let metadataKey = MetadataKey(secret: Self.key(from: 0x44))

    /// What opens the secret half; a class key behaves in the same way.
    let classKey = MetadataKey(secret: Self.key(from: 0x64))

    /// The item as it is stored.
    let row: SealedItem

    private init() {
        let cipher = ItemCipher(random: SeededRandomSource(seed: 1))
        do {
            digests = try LookupDigests(key: Self.key(from: 0x20).secret)
            let columns = try digests.columns(of: item)
            let binding = try cipher.makeBinding()
            row = SealedItem(
                columns: columns,
                metadata: try cipher.sealMetadata(
                    of: item,
                    columns: columns,
                    binding: binding,
                    under: metadataKey
                ),
                secret: try cipher.sealSecret(
                    Secret(copying: [UInt8]("secret".utf8)),
                    columns: columns,
                    binding: binding,
                    under: classKey
                )
            )
        } catch {
            preconditionFailure("The fixture's row cannot be made: \(error)")
        }
    }

    /// 32 bytes that count up from a number.
    private static func key(from first: UInt8) -> SharedSecret {
        SharedSecret(Secret(copying: [UInt8](first..<(first + 32))))
    }
}
