import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// The whole keychain, out and in. Passwords are stretched with no lock held.
//
// Source: requirements BAK-01 to BAK-05, BAK-11, BAK-12; Documentation/Spec/backup.md.
extension Engine {
    /// Begins a backup, as the rows are now.
    func beginBackup(_ password: SharedSecret) throws(KeychainError) -> BackupWork {
        let (stretching, salt) = try enter { rooms throws(KeychainError) in
            try rooms.session.requireOpen(.whenUnlocked)
            let random = rooms.vault.environment.random
            let salt = try fromCryptography(try random.bytes(BackupHeader.saltByteCount))
            return (rooms.session.device.passcodeCost, salt)
        }
        let cost = stretching().ofBackup
        let keys = try fromBackup(try BackupPassword(password.secret, salt: salt, cost: cost))
        return try enter { rooms throws(KeychainError) in
            try rooms.session.requireOpen(.whenUnlocked)
            let behavior = rooms.vault.profiles.behavior
            let keybag = try fromBackup(
                try rooms.session.device.makeBackupKeybag(
                    under: keys,
                    salt: salt,
                    cost: cost,
                    includesThisDeviceOnly: behavior.backupThisDeviceOnly == .sameDevice
                )
            )
            let parts = try BackupParts(
                keybag: keybag,
                password: keys,
                cipher: rooms.vault.cipher
            )
            return BackupWork(BackupWriter(parts), rooms.vault.walk(rooms.session))
        }
    }

    /// Begins a restore, whose bytes are to follow.
    func beginRestore(_ password: SharedSecret) throws(KeychainError) -> RestoreWork {
        let database = try enter { rooms throws(KeychainError) in
            try rooms.session.requireOpen(.whenUnlocked)
            return rooms.vault.store.location
        }
        return RestoreWork(password, try BackupSpool(beside: database))
    }

    /// Carries out a restore whose bytes are all there.
    func restore(_ work: RestoreWork) throws(KeychainError) -> RestoreReport {
        let source: BackupSource = { count throws(KeychainError) in try work.spool.read(count) }
        let header = try BackupReader.header(from: source)
        let fields = try fromBackup(try BackupHeader(parsing: header))
        let keys = try fromBackup(
            try BackupPassword(work.password.secret, salt: fields.salt, cost: fields.cost)
        )
        return try enter { rooms throws(KeychainError) in
            let keybag = try fromBackup(
                try rooms.session.device.openBackupKeybag(header, under: keys)
            )
            var reader = BackupReader(
                try BackupParts(keybag: keybag, password: keys, cipher: rooms.vault.cipher)
            )
            return try rooms.vault.restore(with: &reader, from: source, &rooms.session)
        }
    }

    /// The password of a backup for which nobody chose one: this device alone restores it.
    ///
    /// - Source: requirement BAK-06.
    package func deviceBackupPassword() throws(KeychainError) -> SharedSecret {
        try enter { rooms throws(KeychainError) in
            SharedSecret(try fromDevice(try rooms.session.device.backupPassword()))
        }
    }
}
