import DataProtection
import KeychainEngine
import KeychainModel

extension DirectoryStorage {
    /// Runs `body` under the directory's lock, with errors of the keychain.
    ///
    /// - Throws: `errSecNotAvailable` after a bounded wait; the errors of `body`.
    func whileLocked(_ body: () throws(KeychainError) -> Void) throws(KeychainError) {
        let failure = try fromDevice(
            try withExclusiveLock { () throws(DeviceError) -> KeychainError? in
                do throws(KeychainError) { try body() } catch { return error }
                return nil
            }
        )
        if let failure { throw failure }
    }
}
