import Cryptography
import DataProtection
import KeychainMessages
import KeychainModel
import Secrets

// Backup and restore of the whole keychain. Passwords are stretched without a lock.
//
// Source: requirements BAK-01 to BAK-05, BAK-11, BAK-12; Documentation/Spec/backup.md.
extension Engine {
    /// Begins a backup of the rows as they are now.
    func beginBackup(_ password: SharedSecret) throws(KeychainError) -> BackupWork {
        let (measure, salt) = try enter { state throws(KeychainError) in
            try state.session.requireOpen(.whenUnlocked)
            let random = state.vault.environment.random
            let salt = try fromCryptography(try random.bytes(BackupHeader.saltByteCount))
            return (state.session.device.passcodeCost, salt)
        }
        let new = try stretch(newBackup: password, salt: salt, measure)
        let cost = new.cost
        let keys = new.keys
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

    /// Stretches the password of a new backup.
    private func stretch(
        newBackup password: SharedSecret,
        salt: [UInt8],
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) -> NewBackupKeys {
        try WaitingClient.outsideTurn { () throws(KeychainError) in
            let usual = try environment.pool.usualCost(for: environment.person, measure)
            let cost = usual.ofBackup
            let keys = try stretch(backup: password, salt: salt, cost: cost, measure)
            return NewBackupKeys(cost: cost, keys: keys)
        }
    }

    /// Begins a restore whose bytes will follow.
    func beginRestore(_ password: SharedSecret) throws(KeychainError) -> RestoreWork {
        let database = try enter { state throws(KeychainError) in
            try state.session.requireOpen(.whenUnlocked)
            return state.vault.store.location
        }
        return RestoreWork(password, try BackupSpool(beside: database, in: spoolRoom))
    }

    /// Carries out a restore once all its bytes are there.
    func restore(_ work: RestoreWork) throws(KeychainError) -> RestoreReport {
        let source: BackupSource = { count throws(KeychainError) in try work.spool.read(count) }
        let header = try BackupReader.header(from: source)
        let fields = try fromBackup(try BackupHeader(parsing: header))
        let measure = try enter { state throws(KeychainError) in state.session.device.passcodeCost }
        let keys = try WaitingClient.outsideTurn { () throws(KeychainError) in
            try stretch(
                backup: work.password,
                salt: fields.salt,
                cost: fields.cost,
                measure
            )
        }
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

    /// Returns the password of a backup that only this device can restore, for use without a chosen
    /// one.
    ///
    /// - Source: requirement BAK-06.
    package func deviceBackupPassword() throws(KeychainError) -> SharedSecret {
        try enter { state throws(KeychainError) in
            SharedSecret(try fromDevice(try state.session.device.backupPassword()))
        }
    }
}

/// The keys under which a new backup is sealed.
private struct NewBackupKeys: ~Copyable {
    let cost: Argon2id.Cost
    let keys: BackupPassword
}
