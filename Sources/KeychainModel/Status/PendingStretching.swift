import Secrets

/// An application password that a call has to have stretched while no lock is held.
///
/// - Source: Documentation/Spec/item.md §9.
package struct PendingStretching: Sendable {
    /// The password as it was given.
    package let password: SharedSecret
    /// The salt of the gate that is to be opened; nil for a gate that is to be made.
    package let salt: [UInt8]?
    /// KiB of memory, passes and lanes; nil for the cost that the device chooses now.
    package let cost: (memoryKiB: UInt32, passes: UInt32, lanes: UInt32)?

    package init(
        password: SharedSecret,
        salt: [UInt8]?,
        cost: (memoryKiB: UInt32, passes: UInt32, lanes: UInt32)?
    ) {
        self.password = password
        self.salt = salt
        self.cost = cost
    }
}
