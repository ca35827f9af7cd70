import KeychainSync
import Synchronization

/// The server of memory relays: the streams and links of all accounts in this process, with a
/// clock.
///
/// Time advances only on command.
package final class MemoryRelayServer: Sendable {
    struct Entry: Sendable {
        let bytes: [UInt8]
        /// The time at which the server accepted the entry.
        let time: Duration
        /// The relay that stored the entry; nil for the server itself.
        let writer: ObjectIdentifier?
    }

    struct Stream: Sendable {
        var first: UInt64
        var entries: [Entry]

        var range: Range<UInt64> { first..<first + UInt64(entries.count) }

        subscript(number: UInt64) -> Entry? {
            range.contains(number) ? entries[Int(number - first)] : nil
        }
    }

    struct Content: Sendable {
        var accounts: [AccountName: [StreamName: Stream]] = [:]
        var links: [AccountName: [LinkPart: [LinkPlace: Entry]]] = [:]
        var now = Duration.zero
        var bells: [ObjectIdentifier: RelayWait] = [:]

        func ring() { bells.values.forEach { $0.interrupt() } }
    }

    let content = Mutex(Content())

    /// Makes a server without streams, at time zero.
    package init() {}

    /// The current time of the server's clock.
    package var now: Duration { content.withLock { $0.now } }

    /// Advances the clock, so that delayed changes arrive.
    package func advance(by duration: Duration) {
        content.withLock {
            $0.now += duration
            $0.ring()
        }
    }

    /// Replaces the bytes of an entry, which an honest server never does.
    package func replace(_ place: EntryPlace, of account: AccountName, with bytes: [UInt8]) {
        content.withLock { content in
            guard let old = content.accounts[account]?[place.stream],
                let entry = old[place.number]
            else { return }
            let new = Entry(bytes: bytes, time: entry.time, writer: entry.writer)
            content.accounts[account]?[place.stream]?.entries[Int(place.number - old.first)] = new
            content.ring()
        }
    }

    /// Forgets the last entries of a stream, like a server that was restored from a backup.
    package func forget(_ stream: StreamName, of account: AccountName, from number: UInt64) {
        content.withLock { content in
            guard let old = content.accounts[account]?[stream] else { return }
            let kept = old.entries.prefix(Int(clamping: number - min(number, old.first)))
            content.accounts[account]?[stream]?.entries = Array(kept)
            if kept.isEmpty { content.accounts[account]?[stream] = nil }
            content.ring()
        }
    }

    /// Stores arbitrary bytes in the place of a link, which an honest server never does.
    package func plant(_ bytes: [UInt8], at place: LinkPlace, of account: AccountName) {
        content.withLock { content in
            let new = Entry(bytes: bytes, time: content.now, writer: nil)
            content.links[account, default: [:]][.link, default: [:]][place] = new
            content.ring()
        }
    }

    /// Forgets links and boxes, like a server that was restored from a backup.
    package func forgetLinks(of account: AccountName, where isGone: (LinkPlace) -> Bool) {
        content.withLock { content in
            for part in LinkPart.allCases {
                let kept = content.links[account]?[part]?.filter { !isGone($0.key) }
                content.links[account]?[part] = kept
            }
            content.ring()
        }
    }
}
