import KeychainSync

/// A store for the streams and links of one account, shared by its devices, which cannot read them.
///
/// A relay may be slow, lose its connection, and show changes late. An entry or link that it
/// accepted is durable, and never changes. Any thread may call any function. All except `interrupt`
/// may block.
///
/// Devices use the functions of the extensions: `append`, `links(at:)`, `boxes`, `put`. These check
/// sizes and digests for all relays.
///
/// - Source: Documentation/Spec/sync.md §3; Documentation/Spec/relays.md.
package protocol Relay: Sendable {
    /// The greatest entry in bytes; at most `RelayLimit.entryByteCount`.
    var entryByteCountLimit: Int { get }

    /// The limit of entries in one `appendBatch`.
    var batchLimit: BatchLimit { get }

    /// Creates the resources that the relay needs before its first use, such as tables.
    ///
    /// The other functions do not create them, so they need fewer rights.
    func prepare() throws(RelayError)

    /// Returns the streams that are not empty, with the ranges of their entries.
    func streams() throws(RelayError) -> [StreamName: Range<UInt64>]

    /// Returns entries of a stream in order, beginning with number `first`.
    ///
    /// The result is empty if the relay has no entry with that number. It ends when
    /// `byteCountLimit` is reached; the first entry may exceed it. The stream may have further
    /// entries, whatever the limit.
    func entries(
        of stream: StreamName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]]

    /// Stores entries with consecutive numbers, whose sizes and numbers were checked.
    ///
    /// An entry that the relay already has with the same bytes stays unchanged. After an error, the
    /// relay may have the first ones.
    ///
    /// - Throws: `occupied` if another entry has the number; `gap` if the entry before is missing
    ///   (unless the stream is empty); `unreachable`, after which the relay may or may not have the
    ///   entries.
    func appendBatch(
        _ entries: [[UInt8]],
        to stream: StreamName,
        at first: UInt64
    ) throws(RelayError)

    /// Removes the entries of a stream with smaller numbers, but never the last entry.
    func trim(_ stream: StreamName, below number: UInt64) throws(RelayError)

    /// Removes a whole stream; a missing stream is not an error.
    func remove(_ stream: StreamName) throws(RelayError)

    /// Returns the places of the relay's links in ascending order, without duplicates.
    ///
    /// A place may contain bytes that are not those of a link.
    ///
    /// - Throws: `damaged` if there are more than `RelayLimit.linkCount`.
    func links() throws(RelayError) -> [LinkPlace]

    /// Returns the relay's content in these places, of which there are at most
    /// `RelayLimit.placeCount`.
    ///
    /// - Returns: The bytes for each place, unchecked; empty if nothing is readable.
    func stored(_ part: LinkPart, at places: [LinkPlace]) throws(RelayError) -> [[UInt8]]

    /// Stores bytes in the place that their digest determines.
    ///
    /// Bytes that are already there stay. Wrong bytes in this place are replaced.
    func store(_ part: LinkPart, _ bytes: [UInt8], at place: LinkPlace) throws(RelayError)

    /// Waits until a stream has changed since the last call of `streams`, or a link since the last
    /// call of `links`, or until the time limit.
    ///
    /// Changes of something that was never listed do not count. If nothing was listed, the call
    /// returns at once. Changes that were made through this relay need not count.
    ///
    /// - Returns: Whether something may have changed.
    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool

    /// Ends the wait of another thread, or the next one if no thread waits; that wait returns
    /// `false`.
    func interrupt()
}

/// The two kinds of data that a relay stores for a link.
package enum LinkPart: UInt8, CaseIterable, Sendable, Hashable {
    case link = 1
    case boxes = 2

    /// The greatest size, in bytes.
    package var byteCountLimit: Int {
        switch self {
        case .link: RelayLimit.linkByteCount
        case .boxes: RelayLimit.boxesByteCount
        }
    }
}

/// The kinds of listings, for which a relay reports changes.
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
    /// The upper bound of numbers.
    package static let number = UInt64(Int64.max)
    package static let streamCount = 1 << 18
    /// The greatest number of files in a directory.
    package static let nameCount = 1 << 20
    package static let linkCount = 1 << 19
    /// The number of places that are read at once.
    package static let placeCount = 64
}

/// The reason why a relay failed.
package enum RelayError: Error, Sendable, Hashable {
    /// The relay is unreachable, which may be temporary; the text gives the reason.
    case unreachable(String)
    /// The user has to act first: rights, credentials, space, a library that is not installed, or a
    /// database that is not prepared. The text gives the reason.
    case refused(String)
    /// Another entry has the number.
    case occupied(StreamName, UInt64)
    /// The entry before is missing.
    case gap(StreamName, UInt64)
    /// The bytes exceed the relay's limit.
    case tooLarge(limit: Int)
    /// The relay contains data that no device writes; the text gives the reason.
    case damaged(String)

    /// Returns the error for a place with a circle of version 1.
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
