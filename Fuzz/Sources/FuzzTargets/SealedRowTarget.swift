import Cryptography
import KeychainModel
import Secrets

@testable import KeychainEngine

extension FuzzTarget {
    /// A row of the store: a byte of changes to its columns, the length of the metadata half in
    /// two bytes, that half, and the secret half.
    ///
    /// Only the row that was sealed opens; all others are damaged, which is no other error.
    static let sealedRow = FuzzTarget(name: "sealed-row") { bytes throws(BrokenLaw) in
        let fixture = ItemFixture.shared
        let row = changed(fixture.row, by: bytes)
        let cipher = ItemCipher(random: SeededRandomSource(seed: 0))
        let metadataOpens = try opens { () throws(CipherError) in
            _ = try cipher.openMetadata(of: row, under: fixture.metadataKey)
        }
        let secretOpens = try opens { () throws(CipherError) in
            _ = try cipher.openSecret(of: row, under: fixture.classKey)
        }
        let isUnchanged = row.columns == fixture.row.columns
        try require(
            metadataOpens == (isUnchanged && row.metadata == fixture.row.metadata),
            "the metadata half opens exactly as it was sealed"
        )
        // The secret half names the row, and is bound to the metadata half by the 16 bytes after
        // its version.
        let isNamed =
            row.columns.protection == fixture.row.columns.protection
            && row.columns.primaryKey == fixture.row.columns.primaryKey
        let isBound = row.metadata.prefix(17) == fixture.row.metadata.prefix(17)
        let hasBody = row.metadata.count > 17
        try require(
            secretOpens == (isNamed && isBound && hasBody && row.secret == fixture.row.secret),
            "the secret half opens exactly as it was sealed"
        )
        return metadataOpens && secretOpens ? .accepted : .refused
    }

    private static func changed(_ row: SealedItem, by bytes: [UInt8]) -> SealedItem {
        var row = row
        var reader = InputReader(bytes)
        let changes = reader.byte()
        if changes & 1 != 0 { row.columns.isSynchronizable.toggle() }
        if changes & 2 != 0 { row.columns.isTombstone.toggle() }
        if changes & 4 != 0 { row.columns.protection = .always }
        if changes & 8 != 0 { row.columns.digests.reverse() }
        if changes & 16 != 0 { row.columns.primaryKey = [] }
        let length = Int(reader.byte()) << 8 | Int(reader.byte())
        row.metadata = reader.bytes(atMost: length)
        row.secret = changes & 32 != 0 ? nil : [UInt8](reader.rest)
        return row
    }

    private static func opens(
        _ body: () throws(CipherError) -> Void
    ) throws(BrokenLaw) -> Bool {
        do throws(CipherError) {
            try body()
            return true
        } catch {
            try require(error == .damaged, "a row that does not open is damaged")
            return false
        }
    }
}
