import KeychainSync
import Synchronization

/// What a server is for other relays: the streams and links of all accounts, in this process, and a
/// clock.
///
/// Time passes when a test says so.
package final class MemoryRelayServer: Sendable {
    struct Entry: Sendable {
        let bytes: [UInt8]
        /// When the server took it.
        let time: Duration
        /// Who kept it here; nil for the server itself.
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

    /// A server without streams, at time zero.
    package init() {}

    /// The time on the server's clock.
    package var now: Duration { content.withLock { $0.now } }

    /// Lets time pass, so that what is delayed arrives.
    package func advance(by duration: Duration) {
        content.withLock {
            $0.now += duration
            $0.ring()
        }
    }

    /// Puts other bytes in the place of an entry, as no honest server does.
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

    /// Forgets the last entries of a stream, as a server does whose backup was put back.
    package func forget(_ stream: StreamName, of account: AccountName, from number: UInt64) {
        content.withLock { content in
            guard let old = content.accounts[account]?[stream] else { return }
            let kept = old.entries.prefix(Int(clamping: number - min(number, old.first)))
            content.accounts[account]?[stream]?.entries = Array(kept)
            if kept.isEmpty { content.accounts[account]?[stream] = nil }
            content.ring()
        }
    }

    /// Puts bytes in the place of a link, whatever they are, as no honest server does.
    package func plant(_ bytes: [UInt8], at place: LinkPlace, of account: AccountName) {
        content.withLock { content in
            let new = Entry(bytes: bytes, time: content.now, writer: nil)
            content.links[account, default: [:]][.link, default: [:]][place] = new
            content.ring()
        }
    }

    /// Forgets links and boxes, as a server does whose backup was put back.
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
