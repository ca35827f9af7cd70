import KeychainModel
import Secrets

/// A random key that only the proofs of a constraint release.
///
/// What is sealed under it, together with a class key, opens when the lock state allows and the
/// proofs are there; either alone opens nothing.
/// - Source: Documentation/Spec/item.md §9; requirement SAC-14.
package struct Gate: Sendable {
    /// What is stored: the key, sealed to the constraint.
    package let bytes: [UInt8]

    /// 32 bytes.
    package let key: SharedSecret

    /// The size of the key in bytes.
    package static let keyByteCount = GateNode.shareByteCount

    package init(bytes: [UInt8], key: SharedSecret) {
        self.bytes = bytes
        self.key = key
    }
}
