import KeychainSync

/// Keeps the streams of one account for all its peers, and knows nothing of what they say.
///
/// A relay may be slow, lose its connection, and show a change late. What it took it keeps: an
/// entry that `append` accepted is durable, and never changes. Every call may come from any thread;
/// all but `interrupt` may block.
///
/// - Source: Documentation/Spec/sync.md §3; Documentation/Spec/relays.md.
package protocol Relay: Sendable {
    /// The most bytes that an entry may have here; at most `RelayLimit.entryByteCount`.
    var entryByteCountLimit: Int { get }

    /// Makes what the relay needs before its first use, such as tables; nothing if it is there.
    ///
    /// The other calls do not make it: they need fewer rights.
    func prepare() throws(RelayError)

    /// The streams that the relay has, and which entries of each; none that is empty.
    func streams() throws(RelayError) -> [PeerName: Range<UInt64>]

    /// Entries of a stream in their order, beginning with the one that has the number `first`.
    ///
    /// None if the relay has no entry with that number. No more entries follow once there are
    /// `byteCountLimit` bytes; one entry is returned even if it has more. There may be more entries
    /// than those returned, whatever the limit.
    func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]]

    /// Keeps an entry; nothing happens if the relay has it already with the same bytes.
    ///
    /// - Throws: `occupied` if there is another entry with that number; `gap` if the entry before
    ///   it is missing (unless the stream is empty); `tooLarge`; `unreachable`, after which the
    ///   relay may or may not have the entry.
    func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError)

    /// Keeps entries with numbers that follow each other, as `append` keeps each of them.
    ///
    /// After an error the relay may have the first ones.
    func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError)

    /// Removes the entries of a stream whose number is smaller; the last entry stays in any case.
    func trim(_ stream: PeerName, below number: UInt64) throws(RelayError)

    /// Waits until something changed since the last call of `streams`, or the time is over.
    ///
    /// What was appended through this value need not count as a change.
    ///
    /// - Returns: Whether something may have changed.
    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool

    /// Ends the wait of another thread, or the next one if nobody waits; that returns `false`.
    func interrupt()
}

extension Relay {
    package func append(
        contentsOf entries: [[UInt8]],
        to stream: PeerName,
        at first: UInt64
    ) throws(RelayError) {
        for (offset, entry) in entries.enumerated() {
            try append(entry, to: stream, at: first + UInt64(offset))
        }
    }
}

/// Limits that every relay has.
package enum RelayLimit {
    /// The greatest entry of sync.md §3: header, body and signature.
    package static let entryByteCount = 98 + (16 << 20) + 64
    /// Numbers are smaller than this.
    package static let number = UInt64(Int64.max)

    /// - Throws: `refused` if entries would get greater numbers.
    package static func check(_ first: UInt64, count: Int) throws(RelayError) {
        guard first < number - UInt64(count) else {
            throw .refused("numbers of entries end before \(number)")
        }
    }
}

/// Why a relay did not do what it was asked for.
package enum RelayError: Error, Sendable, Hashable {
    /// The relay cannot be reached now, which may pass; the reason in words.
    case unreachable(String)
    /// Nothing goes on until a person does something: rights, credentials, space, a library that
    /// is not installed, a database that is not prepared; the reason in words.
    case refused(String)
    /// Another entry has that number.
    case occupied(PeerName, UInt64)
    /// The entry before it is missing.
    case gap(PeerName, UInt64)
    /// More bytes than the relay takes.
    case tooLarge(limit: Int)
    /// The relay has what no peer writes; the reason in words.
    case damaged(String)

    /// The error as a sentence without a full stop.
    package var words: String {
        switch self {
        case .unreachable(let reason): "the relay cannot be reached: \(reason)"
        case .refused(let reason): "the relay refuses: \(reason)"
        case .occupied(let stream, let number):
            "the relay has another entry \(number) of stream \(stream.hexadecimal)"
        case .gap(let stream, let number):
            "the relay lacks the entry before \(number) of stream \(stream.hexadecimal)"
        case .tooLarge(let limit): "the relay takes entries of at most \(limit) bytes"
        case .damaged(let reason): "the relay is damaged: \(reason)"
        }
    }
}
