import KeychainModel
import Secrets

/// What a person, a device nearby or a program has proven: the private keys that it released.
///
/// Copies share the keys, which are wiped when the last owner lets go.
/// - Source: Documentation/Spec/keybag.md §6.
package struct Proof: Sendable {
    /// By factor: 32 bytes of a private key; of the application password its own bytes.
    package private(set) var keys: [Factor: SharedSecret] = [:]
    /// What the application password was stretched into, for the gates that were met so far.
    private var stretched: [StretchedPassword] = []

    /// Nothing proven.
    package init() {}

    init(_ keys: [Factor: SharedSecret]) { self.keys = keys }

    /// The password that a program gave.
    package init(applicationPassword: SharedSecret) {
        keys[.applicationPassword] = applicationPassword
    }

    /// The factors that are proven.
    package var factors: Set<Factor> { Set(keys.keys) }

    /// Takes over what another proof has.
    package mutating func merge(_ other: Proof) {
        keys.merge(other.keys) { _, new in new }
        stretched += other.stretched
    }

    /// Takes over the keys of another proof, without what its password was stretched into.
    package mutating func adopt(_ other: Proof) { keys.merge(other.keys) { _, new in new } }

    /// The bytes of all keys.
    package var keyByteCount: Int { keys.values.reduce(0) { $0 + $1.secret.byteCount } }

    /// Adds what a password was stretched into.
    package mutating func add(_ password: StretchedPassword) { stretched.append(password) }

    /// The application password as a gate's leaf takes it; nil if it was not stretched yet.
    func password(stretchedBy settings: PasswordStretching) -> StretchedPassword? {
        guard let given = keys[.applicationPassword] else { return nil }
        return stretched.first { $0.settings == settings && $0.isOf(given) }
    }

    /// Lets go of a factor.
    package mutating func forget(_ factor: Factor) {
        keys[factor] = nil
        if factor == .applicationPassword { stretched = [] }
    }
}
