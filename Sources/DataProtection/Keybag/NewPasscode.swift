import Cryptography
import KeychainModel
import Secrets

/// A new passcode, stretched with a salt of its own and ready for the secure element.
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

/// A change of passcode that the present passcode has authorized.
///
/// It is valid only for the passcode that was set then. Its owner stretches the new passcode, which
/// needs no lock.
package struct AllowedChange: Sendable {
    /// The salt and cost of the present passcode; nil without one.
    let present: KeybagRecord.Passcode?
    /// The proof keys that the present passcode releases; nil without one.
    let proofKeys: [Factor: SharedSecret]?
}

/// The outcome of an attempt to authorize a change of passcode.
package enum ChangeOutcome: Sendable {
    case allowed(AllowedChange)
    /// The passcode changed meanwhile: nothing was tried, and another attempt was counted.
    case again(CountedAttempt)
}
