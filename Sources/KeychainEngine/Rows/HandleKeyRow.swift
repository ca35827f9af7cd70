import KeychainModel

/// A handle key as the database keeps it: in an envelope under its class key.
///
/// - Source: Documentation/Spec/item.md §8.
package struct HandleKeyRow: Sendable, Equatable {
    /// The name of the key set in which the key was made.
    let keySet: [UInt8]
    let protection: ProtectionClass
    /// The envelope.
    var sealed: [UInt8]

    /// What ties the key to its place: else whoever can write the database could have new handles
    /// made under a key of before.
    var associatedData: [UInt8] {
        Array("handle key".utf8) + [protection.rawValue] + keySet
    }
}
