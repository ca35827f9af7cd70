import Cryptography
import Secrets

/// An attempt at the passcode that is durably counted, but not made yet.
///
/// Its owner stretches a passcode, which needs no lock, and returns with the result.
package struct CountedAttempt: Sendable, Equatable {
    /// The salt and cost of the present passcode; every passcode has a new salt.
    let settings: KeybagRecord.Passcode
    /// The counter, which includes this attempt.
    let counted: PasscodeAttempts

    /// The cost of stretching.
    package var cost: Argon2id.Cost { settings.cost }

    /// Stretches a passcode; takes as long as its cost says, and needs neither files nor element.
    ///
    /// - Throws: `cryptography`.
    package func stretch(
        _ passcode: borrowing Secret
    ) throws(DeviceError) -> StretchedPasscode {
        let secret = try Keybag.stretch(passcode, by: settings)
        return StretchedPasscode(attempt: self, secret: SharedSecret(secret))
    }
}

/// A stretched passcode, ready for the secure element.
package struct StretchedPasscode: Sendable {
    let attempt: CountedAttempt
    let secret: SharedSecret
}
