import KeychainModel

/// A request about items.
package enum ItemRequest: Sendable, Hashable {
    case add(AttributeDictionary)
    case copyMatching(AttributeDictionary)
    /// Searches for all matches without a prompt; an unreadable item hides only itself.
    case list(AttributeDictionary)
    case update(AttributeDictionary, with: AttributeDictionary)
    case delete(AttributeDictionary)
    /// Adds all of the items or none: a key pair, or the halves of an identity.
    case addAll([AttributeDictionary], duplicates: DuplicateRule)
    /// Seals the one matching item again, under another access control.
    ///
    /// Without flags it becomes a plain item; without a protection class it keeps its own.
    case replaceAccessControl(
        AttributeDictionary,
        flags: AccessControl.Flags,
        protection: ProtectionClass?
    )
}

/// The treatment of existing items by `addAll`.
package enum DuplicateRule: Sendable, Hashable {
    /// A single existing item makes the request fail.
    case refused
    /// Existing items are tolerated, unless all of them exist.
    case toleratedUnlessAll
    /// Existing items are tolerated, even if all of them exist.
    case tolerated
}

/// The reply to a request about items.
package enum ItemReply: Sendable {
    /// The request succeeded durably and has no result.
    case done
    /// The request succeeded durably, but the earlier value is still in the database's log, because
    /// another process reads it.
    case earlierValueStays
    case result(ItemResult)
    case listing(Listing)
    /// One result for each item of an `addAll`.
    case results([ItemResult])
}
