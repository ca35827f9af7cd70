import Cryptography
import KeychainModel
import Secrets

/// A passcode that is to be set, stretched with a salt of its own; the secure element takes it from
/// here.
package struct NewPasscode: Sendable {
    let settings: KeybagRecord.Passcode
    let secret: SharedSecret

    /// Stretches a passcode; takes as long as its cost says, and needs neither files nor element.
    ///
    /// - Throws: `emptyPasscode`, or `cryptography`.
    package init(
        stretching passcode: borrowing Secret,
        cost: Argon2id.Cost,
        random: any RandomSource
    ) throws(DeviceError) {
        guard passcode.byteCount > 0 else { throw .emptyPasscode }
        let salt = try Keybag.random(random, byteCount: KeybagRecord.saltByteCount)
        settings = KeybagRecord.Passcode(salt: salt, cost: cost)
        secret = SharedSecret(try Keybag.stretch(passcode, by: settings))
    }
}

/// A change of passcode that the present passcode has allowed.
///
/// It holds for the passcode that was set then; whoever has it stretches the new one, for which
/// nothing has to be held.
package struct AllowedChange: Sendable {
    /// What the present passcode is stretched with; nil without one.
    let present: KeybagRecord.Passcode?
    /// What the present passcode releases; nil without one.
    let proofKeys: [Factor: SharedSecret]?
}

/// What became of an attempt to be allowed a change of passcode.
package enum ChangeOutcome: Sendable {
    case allowed(AllowedChange)
    /// There is another passcode by now: nothing was tried, and another attempt is counted.
    case again(CountedAttempt)
}
