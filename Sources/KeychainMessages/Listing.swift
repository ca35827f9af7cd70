import KeychainModel

/// Every item that matches a listing, including unreadable ones.
///
/// - Source: requirement USE-06.
package struct Listing: Sendable {
    /// The items that opened, in the order in which they were added.
    package var items: [ItemDictionary] = []
    /// The items that did not open, in the same order.
    package var outOfReach: [OutOfReachItem] = []

    package init() {}
}

/// An item that a listing could not open, with the attributes that identify it, if known.
package struct OutOfReachItem: Sendable {
    /// The reason why the item did not open.
    package enum Obstacle: String, Sendable, Hashable {
        /// Its access control needs a proof first.
        case accessControl
        /// The lock state keeps the item's protection class closed.
        case lockState
    }

    package let itemClass: ItemClass
    package let obstacle: Obstacle
    /// The attributes that are readable without a prompt; never a value.
    ///
    /// For a closed class, these are the access group, if it is known, and the accessibility.
    package let attributes: AttributeValues
    /// Identifies the item, so that a program can request it separately.
    package let persistentReference: [UInt8]
    /// The error of a call for this item without a prompt.
    package let error: KeychainError

    package init(
        _ itemClass: ItemClass,
        _ obstacle: Obstacle,
        attributes: AttributeValues,
        persistentReference: [UInt8],
        error: KeychainError
    ) {
        self.itemClass = itemClass
        self.obstacle = obstacle
        self.attributes = attributes
        self.persistentReference = persistentReference
        self.error = error
    }
}
