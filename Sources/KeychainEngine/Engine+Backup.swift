import Cryptography
import DataProtection
import KeychainModel
import Secrets

// The whole keychain, out and in. Passwords are stretched outside of the mutex.
//
// Source: requirements BAK-01 to BAK-05, BAK-11, BAK-12; Documentation/Spec/backup.md.
extension Engine {
    /// Writes an encrypted backup of all that may leave the device.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; `errSecParam` for an
    ///   empty password; what the sink throws. A device that shows nothing gives nothing away.
    package func backup(
        password: SharedSecret,
        to sink: BackupSink,
        progress: BackupProgress = { _ in }
    ) throws(KeychainError) -> BackupReport {
        let (stretching, salt) = try enter { rooms throws(KeychainError) in
            try rooms.session.requireOpen(.whenUnlocked)
            let random = rooms.vault.environment.random
            let salt = try visit { () throws(CryptographyError) in
                try random.bytes(BackupHeader.saltByteCount)
            }
            return (rooms.session.device.passcodeCost, salt)
        }
        let cost = stretching().ofBackup
        let keys = try visit { () throws(BackupError) in
            try BackupPassword(password.secret, salt: salt, cost: cost)
        }
        let report = try enter { rooms throws(KeychainError) in
            try rooms.session.requireOpen(.whenUnlocked)
            let keybag = try visit { () throws(BackupError) in
                try rooms.session.device.makeBackupKeybag(
                    under: keys,
                    salt: salt,
                    cost: cost,
                    includesThisDeviceOnly:
                        rooms.vault.profiles.behavior.backupThisDeviceOnly == .sameDevice
                )
            }
            var writer = BackupWriter(try rooms.vault.backupParts(keybag, keys))
            return try rooms.vault.backUp(
                with: &writer,
                to: sink,
                rooms.session,
                progress: progress
            )
        }
        noteDamage(report)
        return report
    }

    /// Restores an encrypted backup, all of it or nothing.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong password; `errSecDecode` for a damaged backup;
    ///   `errSecInteractionNotAllowed` unless the device is unlocked; what the source throws.
    package func restore(
        password: SharedSecret,
        from source: BackupSource,
        progress: BackupProgress = { _ in }
    ) throws(KeychainError) -> RestoreReport {
        try enter { rooms throws(KeychainError) in try rooms.session.requireOpen(.whenUnlocked) }
        let header = try BackupReader.header(from: source)
        let keys = try visit { () throws(BackupError) in
            let fields = try BackupHeader(parsing: header)
            return try BackupPassword(password.secret, salt: fields.salt, cost: fields.cost)
        }
        let report = try enter { rooms throws(KeychainError) in
            let keybag = try visit { () throws(BackupError) in
                try rooms.session.device.openBackupKeybag(header, under: keys)
            }
            var reader = BackupReader(try rooms.vault.backupParts(keybag, keys))
            return try rooms.vault.restore(
                with: &reader,
                from: source,
                &rooms.session,
                progress: progress
            )
        }
        noteConflicts(report)
        return report
    }

    /// The password of a backup for which nobody chose one: this device alone restores it.
    ///
    /// - Source: requirement BAK-06.
    package func deviceBackupPassword() throws(KeychainError) -> SharedSecret {
        try enter { rooms throws(KeychainError) in
            SharedSecret(
                try visit { () throws(DeviceError) in try rooms.session.device.backupPassword() }
            )
        }
    }

    private func noteDamage(_ report: BackupReport) {
        guard let count = report.omissions[.damaged] else { return }
        note(.damagedRow, .backup, "item", detail: "There were \(count).")
    }

    private func noteConflicts(_ report: RestoreReport) {
        for conflict in report.conflicts {
            let detail =
                conflict.isReplaced
                ? "The device's item was older, and the restore replaced it."
                : "The device's item stays."
            note(.restoreConflict, .restore, conflict.itemClass, detail: detail)
        }
    }
}

// A closure cannot give a noncopyable value away, so this takes it over first.
extension ItemVault {
    fileprivate func backupParts(
        _ keybag: consuming BackupKeybag,
        _ keys: borrowing BackupPassword
    ) throws(KeychainError) -> BackupParts {
        do throws(CryptographyError) {
            return try BackupParts(keybag: keybag, password: keys, cipher: cipher)
        } catch { throw error.asKeychainError }
    }
}
