// Splits changes that are too large for one link.
//
// Source: Documentation/Spec/sync.md §3.
extension Link.Changes {
    /// The most bytes that names and newcomers take in one part.
    ///
    /// It is half of a link's limit, so that lost keys also fit.
    private static let partByteCount = LinkFormat.byteCountLimit / 2

    /// The changes, split into parts that each fit into a link.
    ///
    /// Removals come first and newcomers last, so that the circle has room for the newcomers.
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
    /// The bytes that a newcomer takes in a link.
    fileprivate var byteCount: Int { 2 * PeerKeys.publicKeyByteCount + 3 + deviceName.utf8.count }
}
