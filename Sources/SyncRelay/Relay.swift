import KeychainSync

/// Keeps the streams and the links of one account for all its devices, and knows nothing of what
/// they say.
///
/// A relay may be slow, lose its connection, and show a change late. What it took it keeps: an
/// entry or a link that it accepted is durable, and never changes. Every call may come from any
/// thread; all but `interrupt` may block.
///
/// Devices call what the extensions have: `append`, `links(at:)`, `boxes`, `put`. These check sizes
/// and digests for all relays.
///
/// - Source: Documentation/Spec/sync.md §3; Documentation/Spec/relays.md.
package protocol Relay: Sendable {
    /// The most bytes that an entry may have here; at most `RelayLimit.entryByteCount`.
    var entryByteCountLimit: Int { get }

    /// How much `appendBatch` takes at once.
    var batchLimit: BatchLimit { get }

    /// Makes what the relay needs before its first use, such as tables; nothing if it is there.
    ///
    /// The other calls do not make it: they need fewer rights.
    func prepare() throws(RelayError)

    /// The streams that the relay has, and which entries of each; none that is empty.
    func streams() throws(RelayError) -> [StreamName: Range<UInt64>]

    /// Entries of a stream in their order, beginning with the one that has the number `first`.
    ///
    /// None if the relay has no entry with that number. No more entries follow once there are
    /// `byteCountLimit` bytes; one entry is returned even if it has more. There may be more entries
    /// than those returned, whatever the limit.
    func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]]

    /// Keeps entries with numbers that follow each other, whose sizes and numbers were checked.
    ///
    /// Nothing happens to an entry that the relay has already with the same bytes. After an error
    /// the relay may have the first ones.
    ///
    /// - Throws: `occupied` if there is another entry with that number; `gap` if the entry before
    ///   it is missing (unless the stream is empty); `unreachable`, after which the relay may or
    ///   may not have the entries.
    func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError)

    /// Removes the entries of a stream whose number is smaller; the last entry stays in any case.
    func trim(_ stream: StreamName, below number: UInt64) throws(RelayError)

    /// Removes a whole stream; nothing happens if there is none.
    func remove(_ stream: StreamName) throws(RelayError)

    /// The places of the links that the relay has, in ascending order; none twice.
    ///
    /// Other bytes than those of a link may be in a place.
    ///
    /// - Throws: `damaged` if there are more than `RelayLimit.linkCount`.
    func links() throws(RelayError) -> [LinkPlace]

    /// What the relay has in these places, which are at most `RelayLimit.placeCount`.
    ///
    /// - Returns: For each place its bytes, whatever they are; empty where nothing can be read.
    func stored(_ part: LinkPart, at places: [LinkPlace]) throws(RelayError) -> [[UInt8]]

    /// Keeps bytes in the place that their digest gives them.
    ///
    /// Nothing happens if they are there. Other bytes in this place are replaced: they are none
    /// that belong there.
    func store(_ part: LinkPart, _ bytes: [UInt8], at place: LinkPlace) throws(RelayError)

    /// Waits until a stream changed since the last call of `streams`, a link since the last call of
    /// `links`, or the time is over.
    ///
    /// What was never listed does not count; if nothing was listed, it returns at once. What was
    /// kept through this value need not count.
    ///
    /// - Returns: Whether something may have changed.
    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool

    /// Ends the wait of another thread, or the next one if nobody waits; that returns `false`.
    func interrupt()
}

/// What a relay keeps for a link, each in places of its own.
package enum LinkPart: UInt8, CaseIterable, Sendable, Hashable {
    case link = 1
    case boxes = 2

    /// The most bytes that it may have.
    package var byteCountLimit: Int {
        switch self {
        case .link: RelayLimit.linkByteCount
        case .boxes: RelayLimit.boxesByteCount
        }
    }
}

/// What a relay lists, and tells changes of.
package enum RelayListing: Sendable, Hashable {
    case streams
    case links
}

/// Limits that every relay has.
package enum RelayLimit {
    /// The greatest entry of sync.md §3: header, body and signature.
    package static let entryByteCount = 138 + (16 << 20) + 64
    package static let linkByteCount = 64 << 10
    package static let boxesByteCount = 1 << 20
    /// Numbers are smaller than this.
    package static let number = UInt64(Int64.max)
    package static let streamCount = 1 << 18
    /// The most files of one directory.
    package static let nameCount = 1 << 20
    package static let linkCount = 1 << 19
    /// How many places are read at once.
    package static let placeCount = 64
}

/// Why a relay did not do what it was asked for.
package enum RelayError: Error, Sendable, Hashable {
    /// The relay cannot be reached now, which may pass; the reason in words.
    case unreachable(String)
    /// Nothing goes on until a person does something: rights, credentials, space, a library that
    /// is not installed, a database that is not prepared; the reason in words.
    case refused(String)
    /// Another entry has that number.
    case occupied(StreamName, UInt64)
    /// The entry before it is missing.
    case gap(StreamName, UInt64)
    /// More bytes than the relay takes.
    case tooLarge(limit: Int)
    /// The relay has what no device writes; the reason in words.
    case damaged(String)

    /// The place has a circle of version 1.
    package static func earlierVersion(_ place: String) -> RelayError {
        .refused(
            "\(place) has a circle of version 1, which this version does not read: begin a new"
                + " circle in another place"
        )
    }

    /// The error as a sentence without a full stop.
    package var words: String {
        switch self {
        case .unreachable(let reason): "the relay cannot be reached: \(reason)"
        case .refused(let reason): "the relay refuses: \(reason)"
        case .occupied(let stream, let number):
            "the relay has another entry \(number) of the stream \(stream.hexadecimal)"
        case .gap(let stream, let number):
            "the relay lacks the entry before \(number) of the stream \(stream.hexadecimal)"
        case .tooLarge(let limit): "the relay takes at most \(limit) bytes at once"
        case .damaged(let reason): "the relay has what no device writes: \(reason)"
        }
    }
}
