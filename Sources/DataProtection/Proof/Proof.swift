import KeychainModel
import Secrets

/// The private keys that a person, a device nearby or a program has released by a proof.
///
/// Copies share the keys, which are wiped when the last copy is released.
/// - Source: Documentation/Spec/keybag.md §6.
package struct Proof: Sendable {
    /// The keys by factor: 32 bytes of a private key each, or the bytes of the application
    /// password.
    package private(set) var keys: [Factor: SharedSecret] = [:]
    /// The application password as stretched for the gates so far.
    private var stretched: [StretchedPassword] = []

    /// Creates an empty proof.
    package init() {}

    init(_ keys: [Factor: SharedSecret]) { self.keys = keys }

    /// Creates the proof of a password that a program gave.
    package init(applicationPassword: SharedSecret) {
        keys[.applicationPassword] = applicationPassword
    }

    /// The factors that are proven.
    package var factors: Set<Factor> { Set(keys.keys) }

    /// Adds the keys and stretched passwords of another proof.
    package mutating func merge(_ other: Proof) {
        keys.merge(other.keys) { _, new in new }
        stretched += other.stretched
    }

    /// Adds the keys of another proof, without its stretched passwords.
    package mutating func adopt(_ other: Proof) { keys.merge(other.keys) { _, new in new } }

    /// The bytes of all keys.
    package var keyByteCount: Int { keys.values.reduce(0) { $0 + $1.secret.byteCount } }

    /// Adds a stretched password.
    package mutating func add(_ password: StretchedPassword) { stretched.append(password) }

    /// Returns the stretched application password for a gate's leaf; nil if it is not stretched
    /// yet.
    func password(stretchedBy settings: PasswordStretching) -> StretchedPassword? {
        guard let given = keys[.applicationPassword] else { return nil }
        return stretched.first { $0.settings == settings && $0.isOf(given) }
    }

    /// Forgets a factor.
    package mutating func forget(_ factor: Factor) {
        keys[factor] = nil
        if factor == .applicationPassword { stretched = [] }
    }
}
