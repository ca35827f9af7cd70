import Cryptography
import KeychainModel
import Secrets

/// The salt and cost of an application password; a gate contains both in the clear.
package struct PasswordStretching: Sendable, Equatable {
    static let saltByteCount = 16

    /// 16 random bytes.
    package let salt: [UInt8]
    package let cost: Argon2id.Cost

    package init(salt: [UInt8], cost: Argon2id.Cost) {
        self.salt = salt
        self.cost = cost
    }

    /// Creates the settings of a new gate.
    ///
    /// - Throws: `cryptography`.
    package static func new(
        cost: Argon2id.Cost,
        random: any RandomSource
    ) throws(DeviceError) -> PasswordStretching {
        let salt = try Keybag.random(random, byteCount: saltByteCount)
        return PasswordStretching(salt: salt, cost: cost)
    }
}

/// An application password and its stretched form, ready for the secure element.
///
/// Creating one takes as long as its cost says, and needs neither files nor element nor a lock.
package struct StretchedPassword: Sendable {
    package let settings: PasswordStretching
    private let password: SharedSecret
    let secret: SharedSecret

    /// - Throws: `emptyPasscode`, or `cryptography`.
    package init(
        stretching password: SharedSecret,
        by settings: PasswordStretching
    ) throws(DeviceError) {
        guard password.secret.byteCount > 0 else { throw .emptyPasscode }
        do throws(CryptographyError) {
            secret = SharedSecret(
                try Argon2id.stretch(password.secret, salt: settings.salt, cost: settings.cost)
            )
        } catch { throw .cryptography(error) }
        self.password = password
        self.settings = settings
    }

    /// Whether it was stretched from this password.
    package func isOf(_ other: SharedSecret) -> Bool {
        password === other || password.secret.constantTimeEquals(other.secret)
    }
}
