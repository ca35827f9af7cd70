import KeychainModel

extension Attribute {
    /// Whether the attribute is internal to the keychain and means nothing to users.
    var isBookkeeping: Bool { Self.bookkeeping.contains(self) }

    private static let bookkeeping: Set<Attribute> = [
        .multiUser, .tombstone, .syncViewHint, .sharingGroup, .systemBound, .appClipItem, .tokenID,
        .digest, .uuid, .lookupPairs, .tokenAttributes,
    ]
}
