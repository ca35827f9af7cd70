import Cryptography
import KeychainModel
import Secrets

@testable import KeychainEngine

/// One item, keys that are always the same, and both sealed halves.
enum CipherFixture {
    static let secret = "correct horse battery staple"

    static let item = PlainItem(
        itemClass: .genericPassword,
        attributes: [
            .account: .string("ada"),
            .service: .data([0x6D, 0x61, 0x69, 0x6C]),
            .label: .string("Post – München"),
            .creator: .number(-2),
            .type: .real(0.5),
            .creationDate: .date(762_523_200),
            .modificationDate: .date(762_523_200.25),
            .generic: .data([]),
            .multiUser: .data([]),
        ],
        accessGroup: "TEAM.app",
        protection: .whenUnlocked,
        accessControl: AccessControl(protection: .whenUnlocked),
        isSynchronizable: false,
        reference: Array(0x10..<0x20)
    )

    /// 32 bytes that count up from a number.
    static func key(from first: UInt8) -> SharedSecret {
        SharedSecret(Secret(copying: Array(first..<(first + 32))))
    }

    static let lookupKey = key(from: 0x20)
    static let metadataKey = MetadataKey(secret: key(from: 0x40))
    static let classKey = MetadataKey(secret: key(from: 0x60))

    static let columns: ItemColumns = columns(of: item)

    static func columns(of item: PlainItem) -> ItemColumns {
        guard let digests = try? LookupDigests(key: lookupKey.secret),
            let columns = try? digests.columns(of: item)
        else { preconditionFailure("The fixture's own keys do not work.") }
        return columns
    }

    /// The item's row, sealed with randomness that belongs to the seed.
    static func sealed(_ item: PlainItem = item, seed: UInt64 = 1) throws -> SealedItem {
        let cipher = ItemCipher(random: SeededRandomSource(seed: seed))
        let columns = columns(of: item)
        let binding = try cipher.makeBinding()
        return SealedItem(
            columns: columns,
            metadata: try cipher.sealMetadata(
                of: item,
                columns: columns,
                binding: binding,
                under: metadataKey
            ),
            secret: try cipher.sealSecret(
                Secret(copying: Array(secret.utf8)),
                columns: columns,
                binding: binding,
                under: classKey
            )
        )
    }

    static let cipher = ItemCipher(random: SeededRandomSource(seed: 0))

    /// Whether the metadata half opens.
    static func opensMetadata(_ item: SealedItem) throws -> Bool {
        do throws(CipherError) {
            _ = try cipher.openMetadata(of: item, under: metadataKey)
            return true
        } catch .damaged { return false }
    }

    /// The value, nil where the row is not what was sealed.
    static func openSecret(_ item: SealedItem) throws -> String? {
        do throws(CipherError) {
            let secret = try cipher.openSecret(of: item, under: classKey)
            return String(decoding: secret.copyBytesUnprotected(), as: UTF8.self)
        } catch .damaged { return nil }
    }
}
