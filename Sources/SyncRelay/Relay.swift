import KeychainSync

/// Keeps the streams of one account for all its peers, and knows nothing of what they say.
///
/// A relay may be slow, lose its connection, and show a change late. What it took it keeps: an
/// entry that `append` accepted is durable, and never changes.
///
/// - Source: Documentation/Spec/sync.md §3; Documentation/Spec/relays.md.
package protocol Relay: Sendable {
    /// The streams that the relay has, and which entries of each.
    func streams() throws(RelayError) -> [PeerName: Range<UInt64>]

    /// Entries of a stream in their order, beginning with the one that has the number `first`.
    ///
    /// - Parameter byteCountLimit: No more entries follow once there are as many bytes; one entry
    ///   is returned even if it has more.
    /// - Returns: None if the relay has no entry with that number.
    func entries(
        of stream: PeerName,
        from first: UInt64,
        byteCountLimit: Int
    ) throws(RelayError) -> [[UInt8]]

    /// Keeps an entry; nothing happens if the relay has it already with the same bytes.
    ///
    /// - Throws: `occupied` if there is another entry with that number; `gap` if the entry before
    ///   it is missing (unless the stream is empty); `tooLarge`; `unreachable`.
    func append(
        _ entry: [UInt8],
        to stream: PeerName,
        at number: UInt64
    ) throws(RelayError)

    /// Removes the entries of a stream whose number is smaller.
    func trim(_ stream: PeerName, below number: UInt64) throws(RelayError)

    /// Waits until something changed since the last call of `streams`, or the time is over.
    ///
    /// - Returns: Whether something may have changed.
    func waitForChange(upTo limit: Duration) throws(RelayError) -> Bool

    /// Ends a wait of another thread.
    func interrupt()
}

/// Why a relay did not do what it was asked for.
package enum RelayError: Error, Sendable, Hashable {
    /// The relay cannot be reached now; the reason in words, without addresses of other people.
    case unreachable(String)
    /// The relay refuses: credentials, rights, no space.
    case refused(String)
    /// Another entry has that number.
    case occupied(PeerName, UInt64)
    /// The entry before it is missing.
    case gap(PeerName, UInt64)
    /// More bytes than the relay takes.
    case tooLarge(limit: Int)
    /// The relay has what no peer writes; the reason in words.
    case damaged(String)
}
