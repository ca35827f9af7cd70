import KeychainModel

/// Every item that a listing asked for, those out of reach among them.
///
/// - Source: requirement USE-06.
package struct Listing: Sendable {
    /// The items that opened, in the order in which they were added.
    package var items: [ItemDictionary] = []
    /// The items that did not open, in the same order.
    package var outOfReach: [OutOfReachItem] = []

    package init() {}
}

/// An item that a listing could not open, as far as it can be named.
package struct OutOfReachItem: Sendable {
    /// Why the item did not open.
    package enum Obstacle: String, Sendable, Hashable {
        /// A person has to prove something first.
        case accessControl
        /// The lock state keeps the item's protection class closed.
        case lockState
    }

    package let itemClass: ItemClass
    package let obstacle: Obstacle
    /// The attributes that are readable without asking anybody; never a value.
    ///
    /// Of a closed class: the access group, where it is known, and the accessibility.
    package let attributes: AttributeValues
    /// Names the item, so that it can be asked for alone.
    package let persistentReference: [UInt8]
    /// What a call for the item alone would end with if nobody could be asked.
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
