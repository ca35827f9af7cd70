import KeychainModel

/// A handle key as the database stores it: in an envelope under its class key.
///
/// - Source: Documentation/Spec/item.md §8.
package struct HandleKeyRow: Sendable, Equatable {
    /// The name of the key set in which the key was created.
    let keySet: [UInt8]
    let protection: ProtectionClass
    /// The key in its envelope.
    var sealed: [UInt8]

    /// The associated data of the envelope: class and key set.
    ///
    /// Without them, an attacker who can write the database could make new handles use an old key.
    var associatedData: [UInt8] {
        Array("handle key".utf8) + [protection.rawValue] + keySet
    }
}
