import KeychainSync
import SyncRelay

/// A request to the process that serves the relay.
///
/// - Source: Documentation/Spec/relays.md §6.
enum RelayRequest: Sendable, Hashable {
    case open(RelayPlace)
    case prepare
    case streams
    case entries(of: StreamName, from: UInt64, byteCountLimit: UInt32)
    case append([[UInt8]], to: StreamName, at: UInt64)
    case trim(StreamName, below: UInt64)
    case remove(StreamName)
    case links
    case stored(LinkPart, [LinkPlace])
    case store(LinkPart, [UInt8], LinkPlace)
    case wait(milliseconds: UInt32)
    /// Ends a wait; has no reply.
    case stop
}

/// A reply of the process that serves the relay.
enum RelayReply: Sendable, Hashable {
    case done
    case streams([StreamName: Range<UInt64>])
    /// Entries, or the content of places, which is empty where nothing is stored.
    case entries([[UInt8]])
    case links([LinkPlace])
    case changed(Bool)
    case failure(RelayError)
}

/// The limits of a message.
///
/// - Source: Documentation/Spec/relays.md §6.
enum RelayMessageLimit {
    /// The version of the messages.
    static let version: UInt8 = 2
    /// The greatest size of a frame without its count, in bytes.
    static let frameByteCount = 24 << 20
    static let textCount = 16
    static let textByteCount = 4096
    /// The greatest size of the entries that are read or appended at once, in bytes.
    static let batchByteCount = 4 << 20
    static let entryCount = 65536
}
