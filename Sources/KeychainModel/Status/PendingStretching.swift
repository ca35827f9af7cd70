import Secrets

/// An application password that has to be stretched without a lock.
///
/// - Source: Documentation/Spec/item.md §9.
package struct PendingStretching: Sendable {
    /// The password as the user typed it.
    package let password: SharedSecret
    /// The salt of the gate to open; nil for a new gate.
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
