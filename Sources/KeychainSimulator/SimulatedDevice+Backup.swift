public import Foundation
import KeychainEngine
public import KeychainMessages
import KeychainModel
import Secrets

/// The result of a restore: the number of restored items, and the items that existed already.
///
/// ```swift
/// let report = try newPhone.restore(phone.backup(password: "secret"), password: "secret")
/// print(report.restoredCount, report.keptCount)
/// ```
public typealias RestoreReport = KeychainMessages.RestoreReport

extension SimulatedDevice {
    /// Creates an encrypted backup of everything that may leave the device: keychain items, and
    /// the files and defaults of apps and app groups.
    ///
    /// The backup contains the content of protected files, but not their keys. It contains no
    /// protected file that is excluded from backups, and no symbolic link. Foundation on Linux
    /// ignores `isExcludedFromBackup` of unprotected files, so the backup contains them.
    /// - Throws: ``SimulatorError`` with `errSecInteractionNotAllowed` unless the device is
    ///   unlocked, and with `errSecParam` for an empty password.
    public func backup(password: String) throws -> Data {
        let password = Self.secret(password)
        return try DeviceBackup(backup(under: password), backUpApps(), password: password)
            .encoded()
    }

    /// Creates a backup of the whole device in a new folder, and shows its files without
    /// encryption.
    ///
    /// This is what anyone sees who reads an unencrypted backup on a computer. Each app's files
    /// and defaults are in `Apps/<bundle identifier>`, and each app group's in
    /// `Groups/<identifier>`. The encrypted keychain is in `keychain-backup`; pass its content to
    /// ``restore(_:password:)``.
    /// - Throws: ``SimulatorError`` as ``backup(password:)`` does, or an error of the file system,
    ///   for example if the folder exists.
    public func backup(to folder: URL, password: String) throws {
        let sealed = try backup(under: Self.secret(password))
        let apps = try backUpApps()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try apps.extract(to: folder)
        try sealed.write(to: folder.appendingPathComponent("keychain-backup"))
    }

    /// Restores an encrypted backup of this device or another.
    ///
    /// The keychain is restored completely or not at all. Files and defaults of the backup replace
    /// those of the same names. Protected files have their class again, and keys of this device.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` for a wrong password, `errSecDecode`
    ///   for a damaged backup, and `errSecInteractionNotAllowed` unless the device is unlocked.
    @discardableResult
    public func restore(_ backup: Data, password: String) throws -> RestoreReport {
        let password = Self.secret(password)
        let (backup, apps) = try read(backup, password)
        let report = try restore(backup.keychain, under: password)
        try restore(apps)
        return report
    }

    /// Creates a backup without a password, whose keychain only this device can restore.
    ///
    /// A key of this device encrypts the keychain's items. Everything else in such a backup is
    /// unencrypted.
    ///
    /// - Throws: ``SimulatorError`` with `errSecInteractionNotAllowed` unless the device is
    ///   unlocked.
    /// - Source: Apple developer forums, thread 93373.
    public func backupWithoutPassword() throws -> Data {
        let keychain = try backup(
            under: try perform { engine throws(KeychainError) in
                try engine.deviceBackupPassword()
            }
        )
        return try DeviceBackup(keychain, backUpApps(), password: nil).encoded()
    }

    /// Restores a backup without a password.
    ///
    /// On another device than the one that made the backup, no keychain item returns.
    ///
    /// - Throws: ``SimulatorError`` with `errSecDecode` for a damaged backup, and with
    ///   `errSecInteractionNotAllowed` unless the device is unlocked.
    @discardableResult
    public func restoreWithoutPassword(_ backup: Data) throws -> RestoreReport {
        let (backup, apps) = try read(backup, nil)
        let password = try perform { engine throws(KeychainError) in
            try engine.deviceBackupPassword()
        }
        var report = RestoreReport()
        do throws(SimulatorError) {
            report = try restore(backup.keychain, under: password)
        } catch {
            guard error.status == SecurityStatus.authFailed.rawValue else { throw error }
        }
        try restore(apps)
        return report
    }

    /// Copies everything to another device that an encrypted backup would restore there.
    ///
    /// ```swift
    /// let newPhone = try SimulatedDevice()
    /// try phone.migrate(to: newPhone)
    /// ```
    ///
    /// - Throws: ``SimulatorError`` with `errSecInteractionNotAllowed` unless both devices are
    ///   unlocked.
    /// - Source: Keychain access control guide, Mistake 3.
    @discardableResult
    public func migrate(to other: SimulatedDevice) throws -> RestoreReport {
        let password = UUID().uuidString
        return try other.restore(try backup(password: password), password: password)
    }

    private func backUpApps() throws -> BackedUpApps {
        try installations.backUp(ContainerVault(engine))
    }

    private func restore(_ apps: BackedUpApps) throws {
        try installations.restore(apps, ContainerVault(engine))
    }

    private func read(
        _ backup: Data,
        _ password: SharedSecret?
    ) throws(SimulatorError) -> (DeviceBackup, BackedUpApps) {
        do throws(KeychainError) {
            let backup = try DeviceBackup(reading: backup)
            return (backup, try backup.openApps(password: password))
        } catch { throw SimulatorError(error) }
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
