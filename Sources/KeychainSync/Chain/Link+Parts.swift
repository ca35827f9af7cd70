// Changes that are too many for one link.
//
// Source: Documentation/Spec/sync.md §3.
extension Link.Changes {
    /// The most that the names and newcomers of a part have, in bytes: half of what a link has, so
    /// that lost keys fit beside them.
    private static let partByteCount = LinkFormat.byteCountLimit / 2

    /// The changes in parts that fit into a link each: first who goes, in the order in which the
    /// changes name them, so that there is room for who comes.
    package var parts: [Link.Changes] {
        var parts: [Link.Changes] = []
        var part = Link.Changes()
        part.recovery = recovery
        var byteCount = 0
        func count(_ added: Int) {
            byteCount += added
            guard byteCount > Self.partByteCount else { return }
            parts.append(part)
            part = Link.Changes()
            byteCount = added
        }
        for name in removed {
            count(KeyName.byteCount)
            part.removed.append(name)
        }
        for name in promoted {
            count(KeyName.byteCount)
            part.promoted.append(name)
        }
        for newcomer in added {
            count(newcomer.byteCount)
            part.added.append(newcomer)
        }
        return parts + [part]
    }
}

extension Link.Newcomer {
    /// In a link.
    fileprivate var byteCount: Int { 2 * PeerKeys.publicKeyByteCount + 3 + deviceName.utf8.count }
}
