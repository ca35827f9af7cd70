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
        let (stretching, salt) = try enter { state throws(KeychainError) in
            try state.session.requireOpen(.whenUnlocked)
            let random = state.vault.environment.random
            let salt = try fromCryptography(try random.bytes(BackupHeader.saltByteCount))
            return (state.session.device.passcodeCost, salt)
        }
        let cost = stretching().ofBackup
        let keys = try fromBackup(try BackupPassword(password.secret, salt: salt, cost: cost))
        return try enter { state throws(KeychainError) in
            try state.session.requireOpen(.whenUnlocked)
            let behavior = state.vault.profiles.behavior
            let keybag = try fromBackup(
                try state.session.device.makeBackupKeybag(
                    under: keys,
                    salt: salt,
                    cost: cost,
                    includesThisDeviceOnly: behavior.backupThisDeviceOnly == .sameDevice
                )
            )
            let parts = try BackupParts(
                keybag: keybag,
                password: keys,
                cipher: state.vault.cipher
            )
            return BackupWork(BackupWriter(parts), state.vault.scan(state.session))
        }
    }

    /// Begins a restore, whose bytes are to follow.
    func beginRestore(_ password: SharedSecret) throws(KeychainError) -> RestoreWork {
        let database = try enter { state throws(KeychainError) in
            try state.session.requireOpen(.whenUnlocked)
            return state.vault.store.location
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
        return try enter { state throws(KeychainError) in
            let keybag = try fromBackup(
                try state.session.device.openBackupKeybag(header, under: keys)
            )
            var reader = BackupReader(
                try BackupParts(keybag: keybag, password: keys, cipher: state.vault.cipher)
            )
            return try state.vault.restore(with: &reader, from: source, &state.session)
        }
    }

    /// The password of a backup for which nobody chose one: this device alone restores it.
    ///
    /// - Source: requirement BAK-06.
    package func deviceBackupPassword() throws(KeychainError) -> SharedSecret {
        try enter { state throws(KeychainError) in
            SharedSecret(try fromDevice(try state.session.device.backupPassword()))
        }
    }
}
