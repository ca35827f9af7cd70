import DataProtection
import KeychainModel
import Secrets

// Handles of version 1, which the class key itself seals. A change of passcode moves stored ones
// under a handle key, so that later changes leave them as they are.
//
// Source: Documentation/Spec/item.md §8.
extension ItemVault {
    /// Returns the version 1 handle in a row's value; nil for any other row.
    func earlierHandle(
        in item: SealedItem,
        under key: MetadataKey,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> ElementKeyHandle? {
        let columns = item.columns
        guard columns.itemClass == .key, !columns.isTombstone else { return nil }
        let cipher = cipher
        do throws(CipherError) {
            guard try cipher.openMetadata(of: item, under: key).isElementKey else { return nil }
            let value = try session.device.withClassKey(
                columns.protection,
                else: CipherError.init(unavailable:)
            ) { key throws(CipherError) in try cipher.openSecret(of: item, under: key) }
            let handle = ElementKeyHandle(decoding: value.copyBytesUnprotected())
            guard let handle, handle.keySet == nil, handle.protection == columns.protection else {
                return nil
            }
            return handle
        } catch .damaged {
            return nil
        } catch {
            throw KeychainError(error)
        }
    }

    /// Returns the key that adopts handles of version 1; nil if its row is damaged.
    func adoptingKey(
        of protection: ProtectionClass,
        _ session: borrowing DeviceSession
    ) throws(KeychainError) -> HandleKey? {
        do throws(KeychainError) {
            return try presentHandleKey(of: protection, session)
        } catch {
            guard error.status == .decode else { throw error }
            return nil
        }
    }
}
