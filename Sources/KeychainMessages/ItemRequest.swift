import KeychainModel

/// What can be asked about items.
package enum ItemRequest: Sendable, Hashable {
    case add(AttributeDictionary)
    case copyMatching(AttributeDictionary)
    /// A search for all matches that asks nobody; what is out of reach hides only itself.
    case list(AttributeDictionary)
    case update(AttributeDictionary, with: AttributeDictionary)
    case delete(AttributeDictionary)
    /// Adds all of the items or none: a key pair, or the halves of an identity.
    case addAll([AttributeDictionary], duplicates: DuplicateRule)
    /// Seals the one item that matches anew, under another access control.
    ///
    /// No flags make a plain item; without a protection class it keeps its own.
    case replaceAccessControl(
        AttributeDictionary,
        flags: AccessControl.Flags,
        protection: ProtectionClass?
    )
}

/// How `addAll` treats items that exist already.
package enum DuplicateRule: Sendable, Hashable {
    /// One is enough to refuse.
    case refused
    /// Tolerated, unless every item is there already.
    case toleratedUnlessAll
    /// Tolerated, also when every item is there already.
    case tolerated
}

/// What is answered to a request about items.
package enum ItemReply: Sendable {
    /// Done and durable; there is nothing to hand back.
    case done
    /// Done and durable; what it replaced or removed is still in the database's log, because
    /// another process reads.
    case earlierValueStays
    case result(ItemResult)
    case listing(Listing)
    /// One for each item of an `addAll`.
    case results([ItemResult])
}
