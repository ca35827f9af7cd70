/// A version of an item; the greater of two versions wins.
///
/// - Source: Documentation/Spec/sync.md §4.2.
package struct ItemVersion: Sendable, Hashable, Comparable {
    package let stamp: Stamp
    /// The digest of class, protection class, tombstone mark, attributes and value.
    package let digest: SyncDigest

    package init(_ stamp: Stamp, _ digest: SyncDigest) {
        self.stamp = stamp
        self.digest = digest
    }

    package static func < (first: ItemVersion, second: ItemVersion) -> Bool {
        first.stamp == second.stamp
            ? first.digest < second.digest : first.stamp < second.stamp
    }
}

/// A version of an item, without its content.
package struct ChangeMark: Sendable, Hashable {
    package let item: ItemName
    package let version: ItemVersion
    package let isTombstone: Bool

    package init(item: ItemName, version: ItemVersion, isTombstone: Bool) {
        self.item = item
        self.version = version
        self.isTombstone = isTombstone
    }
}
