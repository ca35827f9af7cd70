import KeychainModel

extension Attribute {
    /// Whether it says nothing to a person: the keychain's own bookkeeping.
    var isBookkeeping: Bool { Self.bookkeeping.contains(self) }

    private static let bookkeeping: Set<Attribute> = [
        .multiUser, .tombstone, .syncViewHint, .sharingGroup, .systemBound, .appClipItem, .tokenID,
        .digest, .uuid, .lookupPairs, .tokenAttributes,
    ]
}
