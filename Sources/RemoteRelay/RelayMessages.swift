import KeychainSync
import SyncRelay

/// What a process asks the one that serves its relay for.
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
    /// Ends a wait, and has no reply.
    case stop
}

/// What is answered.
enum RelayReply: Sendable, Hashable {
    case done
    case streams([StreamName: Range<UInt64>])
    /// Entries; or what is stored in places, which is empty where there is nothing.
    case entries([[UInt8]])
    case links([LinkPlace])
    case changed(Bool)
    case failure(RelayError)
}

/// How much a message may have.
///
/// - Source: Documentation/Spec/relays.md §6.
enum RelayMessageLimit {
    /// The version of the messages.
    static let version: UInt8 = 2
    /// The most bytes of a frame behind its count.
    static let frameByteCount = 24 << 20
    static let textCount = 16
    static let textByteCount = 4096
    /// What a reader asks for at once, and what is appended at once.
    static let batchByteCount = 4 << 20
    static let entryCount = 65536
}
