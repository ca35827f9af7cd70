import Cryptography
import Secrets

/// An attempt at the passcode that is counted, durably, and not made yet.
///
/// Whoever has it stretches a passcode, for which nothing has to be held, and comes back with the
/// result.
package struct CountedAttempt: Sendable, Equatable {
    /// What the present passcode is stretched with; its salt is new with every passcode.
    let settings: KeybagRecord.Passcode
    /// The counter with this attempt in it.
    let counted: PasscodeAttempts

    /// What stretching costs.
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

/// What a passcode was stretched into; the secure element takes it from here.
package struct StretchedPasscode: Sendable {
    let attempt: CountedAttempt
    let secret: SharedSecret
}
