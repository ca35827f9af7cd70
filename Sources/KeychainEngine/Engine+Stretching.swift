import Cryptography
import DataProtection
import KeychainModel
import Secrets

// All stretching of passcodes and passwords, in a place of the pool and without a lock.
//
// Source: ARCHITECTURE.md, invariant 8.
extension Engine {
    /// Waits for a place in which to stretch the present passcode; returns nil without a passcode.
    ///
    /// Take the place before you count an attempt: a caller that is refused or leaves has then made
    /// no attempt.
    /// - Throws: `errSecAllocate` if the keybag names an implausible cost; otherwise as
    ///   `StretchingPool.place(_:for:)`.
    func placeOfAttempt() throws(KeychainError) -> StretchingPlace? {
        let (cost, measure) = try enter { state throws(KeychainError) in
            (state.session.device.guessCost, state.session.device.passcodeCost)
        }
        guard let cost else { return nil }
        try environment.pool.believe(cost, for: environment.person, measure)
        return try environment.pool.place(cost, for: environment.person)
    }

    /// Stretches a passcode.
    ///
    /// - Parameters:
    ///   - passcode: The passcode that the user typed.
    ///   - attempt: The attempt that it is for.
    ///   - place: The reserved place; replaced if the passcode, and so its cost, has changed since.
    /// - Returns: The stretched passcode for the secure element.
    /// - Throws: As `placeOfAttempt()`.
    func stretch(
        _ passcode: SharedSecret,
        for attempt: CountedAttempt,
        in place: StretchingPlace?
    ) throws(KeychainError) -> StretchedPasscode {
        environment.stretching?()
        var taken = place
        if taken?.cost != attempt.cost { taken = try placeOfAttempt() }
        guard let taken, taken.cost == attempt.cost else {
            throw KeychainError(.notAvailable, "the passcode changed meanwhile; try again")
        }
        return try fromDevice(
            try taken.work { () throws(DeviceError) in try attempt.stretch(passcode.secret) }
        )
    }

    /// Stretches a new passcode, at the cost that the device chooses now.
    func stretch(
        new passcode: SharedSecret,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) -> NewPasscode {
        environment.stretching?()
        let (pool, person, random) = (environment.pool, environment.person, environment.random)
        let cost = try pool.usualCost(for: person, measure)
        let place = try pool.place(cost, for: person)
        return try fromDevice(
            try place.work { () throws(DeviceError) in
                try NewPasscode(stretching: passcode.secret, cost: cost, random: random)
            }
        )
    }

    /// Stretches the application password that a call turned out to need.
    func stretch(
        _ pending: PendingStretching,
        in conversation: inout Conversation
    ) throws(KeychainError) {
        environment.stretching?()
        let (pool, person) = (environment.pool, environment.person)
        let measure = try work { state throws(KeychainError) in state.session.device.passcodeCost }
        var cost: Argon2id.Cost
        if let stated = pending.cost {
            cost = Argon2id.Cost(
                memoryKiB: stated.memoryKiB,
                passes: stated.passes,
                lanes: stated.lanes
            )
            try pool.believe(cost, for: person, measure)
        } else {
            cost = try pool.usualCost(for: person, measure)
        }
        let settings =
            if let salt = pending.salt { PasswordStretching(salt: salt, cost: cost) } else {
                try fromDevice(try PasswordStretching.new(cost: cost, random: environment.random))
            }
        let password = pending.password
        let place = try pool.place(cost, for: person)
        let made = try fromDevice(
            try place.work { () throws(DeviceError) in
                try StretchedPassword(stretching: password, by: settings)
            }
        )
        if pending.salt == nil {
            conversation.newPassword = made
        } else {
            conversation.proof.add(made)
        }
    }

    /// Stretches the password of a backup.
    ///
    /// - Throws: `errSecAllocate` for an implausible cost; `errSecParam` for an empty password;
    ///   otherwise as `StretchingPool.place(_:for:)`.
    func stretch(
        backup password: SharedSecret,
        salt: [UInt8],
        cost: Argon2id.Cost,
        _ measure: @escaping @Sendable () -> Argon2id.Cost
    ) throws(KeychainError) -> BackupPassword {
        let (pool, person) = (environment.pool, environment.person)
        try pool.believe(cost, for: person, isBackup: true, measure)
        let made = StretchedBackup()
        let place = try pool.place(cost, for: person)
        try fromBackup(
            try place.work { () throws(BackupError) in
                made.keep(try BackupPassword(password.secret, salt: salt, cost: cost))
            }
        )
        guard let keys = made.take() else {
            throw KeychainError(.internalComponent, "the backup's password was not stretched")
        }
        return keys
    }
}

/// The keys of a backup, passed on by the thread that derived them.
private final class StretchedBackup: Sendable {
    private let keys = Monitor<BackupPassword?>(nil)

    func keep(_ made: consuming BackupPassword) {
        var made = Optional(made)
        keys.change { $0 = made.take() }
    }

    func take() -> BackupPassword? { keys.change { $0.take() } }
}
