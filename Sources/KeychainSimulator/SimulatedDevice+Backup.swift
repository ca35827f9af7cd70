public import Foundation
import KeychainEngine
public import KeychainModel
import Secrets

/// What a restore did: how many items came back, and which were there already.
public typealias RestoreReport = KeychainModel.RestoreReport

extension SimulatedDevice {
    /// Makes an encrypted backup of all that may leave the device.
    ///
    /// - Throws: ``SimulatorError`` with -25308 unless the device is unlocked, and with -50 for an
    ///   empty password.
    public func backup(password: String) throws -> Data {
        try backup(under: Self.secret(password))
    }

    /// Makes a backup of the whole device in a new folder, as a computer keeps it.
    ///
    /// Each app's files and defaults are in `Apps/<bundle identifier>`, as they are: what an app
    /// wrote in plain text can be read there. The keychain is in `keychain-backup`, sealed; give
    /// its content to ``restore(_:password:)``.
    /// - Throws: ``SimulatorError`` as ``backup(password:)`` does; the file system's error, which a
    ///   folder that exists is, too.
    public func backup(to folder: URL, password: String) throws {
        let sealed = try backup(password: password)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try installations.copyAll(to: folder.appendingPathComponent("Apps"))
        try sealed.write(to: folder.appendingPathComponent("keychain-backup"))
    }

    /// Restores an encrypted backup, of this device or another; all of it or nothing.
    ///
    /// - Throws: ``SimulatorError`` with -25293 for a wrong password, with -26275 for a damaged
    ///   backup, and with -25308 unless the device is unlocked.
    @discardableResult
    public func restore(_ backup: Data, password: String) throws -> RestoreReport {
        try restore(backup, under: Self.secret(password))
    }

    /// Makes a backup without a password: whatever else it holds is in the open, but the keychain's
    /// items are under a key of this device.
    ///
    /// - Throws: ``SimulatorError`` with -25308 unless the device is unlocked.
    public func backupWithoutPassword() throws -> Data {
        try backup(
            under: try perform { engine throws(KeychainError) in
                try engine.deviceBackupPassword()
            }
        )
    }

    /// Restores a backup without a password: on another device than the one that made it, nothing
    /// of the keychain comes back.
    ///
    /// - Throws: ``SimulatorError`` with -26275 for a damaged backup, and with -25308 unless the
    ///   device is unlocked.
    @discardableResult
    public func restoreWithoutPassword(_ backup: Data) throws -> RestoreReport {
        let password = try perform { engine throws(KeychainError) in
            try engine.deviceBackupPassword()
        }
        do throws(SimulatorError) {
            return try restore(backup, under: password)
        } catch {
            guard error.status == SecurityStatus.authFailed.rawValue else { throw error }
            return RestoreReport()
        }
    }

    /// Moves to another device directly, both side by side: what a restore of an encrypted backup
    /// brings.
    ///
    /// - Throws: ``SimulatorError`` with -25308 unless both are unlocked.
    @discardableResult
    public func migrate(to other: SimulatedDevice) throws -> RestoreReport {
        let password = UUID().uuidString
        return try other.restore(try backup(password: password), password: password)
    }

    private func backup(under password: SharedSecret) throws(SimulatorError) -> Data {
        var bytes: [UInt8] = []
        _ = try perform { engine throws(KeychainError) in
            try engine.backup(
                password: password,
                to: { part throws(KeychainError) in bytes += part }
            )
        }
        return Data(bytes)
    }

    private func restore(
        _ backup: Data,
        under password: SharedSecret
    ) throws(SimulatorError) -> RestoreReport {
        var rest = [UInt8](backup)[...]
        return try perform { engine throws(KeychainError) in
            try engine.restore(
                password: password,
                from: { count throws(KeychainError) in
                    defer { rest = rest.dropFirst(count) }
                    return Array(rest.prefix(count))
                }
            )
        }
    }
}
