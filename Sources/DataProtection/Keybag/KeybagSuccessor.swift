import Cryptography
import KeychainModel
import Secrets

/// The new keybag of a change of passcode, which is not in force yet.
///
/// The caller rewraps everything under the new keys, and then puts the keybag into force.
/// - Source: Documentation/Spec/keybag.md §2, "Changing".
package struct KeybagSuccessor: ~Copyable, Sendable {
    let record: KeybagRecord
    private var keys: ClassKeyring
    /// The private halves that the new passcode releases.
    let proofKeys: [Factor: SharedSecret]
    /// The whole file.
    package let bytes: [UInt8]

    init(
        record: KeybagRecord,
        keys: consuming ClassKeyring,
        proofKeys: [Factor: SharedSecret],
        bytes: [UInt8]
    ) {
        self.record = record
        self.keys = keys
        self.proofKeys = proofKeys
        self.bytes = bytes
    }

    /// 16 bytes that name the new class keys.
    package var keySet: [UInt8] { record.keySet }

    /// Lends a new class key; returns `nil` without calling `body` for a class that keeps its key.
    package borrowing func withKey<R: ~Copyable, E>(
        _ protectionClass: ProtectionClass,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R? {
        try keys.withKey(protectionClass, body)
    }

    /// Moves a new class key out.
    mutating func take(_ protectionClass: ProtectionClass) -> ClassKey? {
        keys.take(protectionClass)
    }
}
