import DataProtection
import KeychainEngine
import KeychainModel

extension DirectoryStorage {
    /// Runs the body under the directory's lock; unlike `withExclusiveLock`, with errors of the
    /// keychain.
    ///
    /// - Throws: `errSecNotAvailable` after a bounded wait; what the body throws.
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
