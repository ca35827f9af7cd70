import KeychainModel
import Secrets

/// A random key that only the proofs of a constraint release.
///
/// Data sealed under both the gate and a class key opens only if the lock state allows it and the
/// proofs are there.
/// - Source: Documentation/Spec/item.md §9; requirement SAC-14.
package struct Gate: Sendable {
    /// The stored form: the key, sealed to the constraint.
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
