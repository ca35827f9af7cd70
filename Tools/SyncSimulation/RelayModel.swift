import KeychainSync

/// An entry of a stream, as far as the machine knows entries.
struct Entry {
    enum Content {
        case segment(Segment<ChangeMark>, under: EpochName)
        case keys([PeerName: Set<EpochName>], [Statement])
    }

    let digest: SyncDigest
    let content: Content
}

/// The relay: streams, of which each reader sees the first entries only.
struct RelayModel {
    struct Stream {
        let peer: PeerName
        /// All entries that there ever were.
        var entries: [Entry] = []
        /// The first one that was not trimmed.
        var first = 0
    }

    private(set) var streams: [Stream] = []
    private(set) var numbers: [PeerName: Int] = [:]
    /// For each reader, how many entries it sees of each stream.
    private var shown: [[Int]] = []
    /// For each reader, the streams that stay as they are for it.
    private var withheld: [Set<Int>] = []

    mutating func addPeer(_ peer: PeerName) {
        numbers[peer] = streams.count
        streams.append(Stream(peer: peer))
        for reader in shown.indices { shown[reader].append(0) }
        shown.append([Int](repeating: 0, count: streams.count))
        withheld.append([])
    }

    /// Shows a reader more of what there is, and tells it what that is.
    mutating func listing(for reader: Int, _ dice: inout Dice) -> [PeerName: Range<UInt64>] {
        var listing: [PeerName: Range<UInt64>] = [:]
        listing.reserveCapacity(streams.count)
        for number in streams.indices {
            let stream = streams[number]
            let count = stream.entries.count
            let hidden = count - shown[reader][number]
            if number == reader || dice.below(4) > 0 && !withheld[reader].contains(number) {
                shown[reader][number] = count
            } else if hidden > 0, !withheld[reader].contains(number) {
                shown[reader][number] += dice.below(hidden)
            }
            let end = shown[reader][number]
            if end > 0 {
                listing[stream.peer] = UInt64(min(stream.first, end))..<UInt64(end)
            }
        }
        return listing
    }

    /// Everything, as it is in the end.
    mutating func fullListing(for reader: Int) -> [PeerName: Range<UInt64>] {
        withheld[reader] = []
        for number in streams.indices { shown[reader][number] = streams[number].entries.count }
        var dice = Dice(0)
        return listing(for: reader, &dice)
    }

    mutating func withhold(_ stream: Int, from reader: Int) {
        if stream != reader { withheld[reader].insert(stream) }
    }

    mutating func showAll(to reader: Int) { withheld[reader] = [] }

    func entry(_ stream: Int, _ number: Int) -> Entry? {
        let stream = streams[stream]
        guard number >= stream.first, number < stream.entries.count else { return nil }
        return stream.entries[number]
    }

    /// Keeps an entry; the same one again changes nothing.
    ///
    /// - Returns: Whether there is not another one.
    mutating func append(_ entry: Entry, to stream: Int, at number: Int) -> Bool {
        let entries = streams[stream].entries
        guard number < entries.count else {
            streams[stream].entries.append(entry)
            return true
        }
        return entries[number].digest == entry.digest
    }

    mutating func trim(_ stream: Int, before number: Int) {
        streams[stream].first = max(streams[stream].first, number)
    }

    /// Forgets the last entries, which a relay must not do.
    mutating func forgetLast(_ count: Int, of stream: Int) {
        streams[stream].entries.removeLast(count)
        for reader in shown.indices {
            shown[reader][stream] = min(shown[reader][stream], streams[stream].entries.count)
        }
    }

    /// Replaces the last entry, as a relay does that shows others something else.
    mutating func forkLast(of stream: Int, seed: UInt64) {
        guard let last = streams[stream].entries.popLast() else { return }
        streams[stream].entries.append(
            Entry(digest: Dice.name(seed, 0xf0), content: last.content)
        )
    }
}
