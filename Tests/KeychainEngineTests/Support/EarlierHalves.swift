import Cryptography
import DataProtection
import KeychainModel
import Secrets

@testable import KeychainEngine

// Halves of version 1, as they were written before there were envelopes.
//
// Source: Documentation/Spec/item.md §4.
extension ItemCipher {
    /// version ‖ wrapped key ‖ nonce ‖ ciphertext ‖ tag, with the binding behind the version of the
    /// metadata half.
    func sealAsEarlier(
        _ content: borrowing Secret,
        half: UInt8,
        of columns: ItemColumns,
        _ binding: [UInt8],
        under key: borrowing some KeyWrapping & ~Copyable
    ) throws(CryptographyError) -> [UInt8] {
        var associated: [UInt8] = [1, half]
        associated += columns.itemClass.rawValue.utf8
        associated.append(columns.protection.rawValue)
        associated += [columns.isSynchronizable ? 1 : 0, columns.isTombstone ? 1 : 0]
        for part in [columns.reference, columns.primaryKey, binding] {
            associated += [UInt8(part.count)] + part
        }
        associated += columns.digests.encoded
        return [1] + (half == 1 ? binding : []) + (try seal(content, associated, under: key))
    }
}

extension Engine {
    /// Replaces the halves of a row by such as an earlier version of the keychain wrote.
    func sealAsEarlier(row number: Int64) throws {
        try enter { state throws(KeychainError) in
            var filter = RowFilter(itemClass: .genericPassword)
            filter.row = number
            let found = try state.vault.store.rows(filter, withSecrets: true)
            for row in found { try state.vault.sealAsEarlier(row, state.session) }
        }
    }
}

extension ItemVault {
    fileprivate func sealAsEarlier(
        _ row: SealedRow,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) {
        let columns = row.item.columns
        let binding = row.item.binding
        guard let key = keyring.known(columns.protection),
            let open = try open(row, under: key, session),
            let secret = try openSecret(of: open, session)
        else { throw KeychainError(.internal, "the row does not open") }
        let cipher = cipher
        let entries = Secret(copying: ItemFormat.encode(open.item))
        let metadata = try fromCryptography(
            try cipher.sealAsEarlier(entries, half: 1, of: columns, binding, under: key)
        )
        let value = try session.withClassKey(columns.protection) { key throws(CryptographyError) in
            try cipher.sealAsEarlier(secret, half: 2, of: columns, binding, under: key)
        }
        let item = SealedItem(columns: columns, metadata: metadata, secret: value)
        _ = try store.replace(SealedRow(row: row.row, item: item))
        store.leaveRowSum()
    }
}
