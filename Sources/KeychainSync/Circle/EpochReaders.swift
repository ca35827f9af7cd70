/// Whom the maker of an epoch gave its key, and of whom it knew that they must not have it.
///
/// - Source: Documentation/Spec/sync.md §4, §5.
package struct EpochReaders: Sendable, Hashable {
    /// The members and the recovery key, sorted.
    package let recipients: [PeerName]
    /// The peers that the maker knew to be removed, sorted; nil in statements of earlier versions,
    /// which do not say.
    package let removed: [PeerName]?

    package init(_ recipients: [PeerName], removed: [PeerName]?) {
        self.recipients = recipients.sorted()
        self.removed = removed?.sorted()
    }
}
