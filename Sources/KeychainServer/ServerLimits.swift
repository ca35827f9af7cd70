import Glibc

/// The limits of a server, which prevent one person from blocking others.
///
/// - Source: Documentation/Spec/wire.md §8.
package struct ServerLimits: Sendable {
    /// The most connections of one person, and of all persons.
    package var connectionsPerPerson = 64
    package var connections = 4096
    /// The connections that a person always gets, even if all are taken and none is idle.
    package var connectionFloor = 2
    /// The calls of one person that work at a time.
    package var callsPerPerson = max(4, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// The time until a connection has to send its hello, in milliseconds.
    package var helloMilliseconds: UInt32 = 10_000
    /// The time from the first to the last byte of a message.
    package var messageMilliseconds: UInt32 = 10_000
    /// The time for which a client may leave its reply unread.
    package var replyMilliseconds: UInt32 = 10_000
    /// The time that calls in progress get when the server stops.
    package var stopMilliseconds: UInt32 = 5000
    /// The time without a message after which memory is released, in milliseconds.
    package var restMilliseconds: Int32 = 5000
    /// The time for which a connection waits for a message before its thread ends.
    package var idleMilliseconds: UInt32 = 1000
    /// The most bytes of one person's requests while they arrive and are carried out.
    ///
    /// Small requests do not count.
    package var requestByteCount = 24 << 20
    /// The most bytes of all persons' requests; no person gets more than half of the rest.
    package var requestByteCountInAll = 128 << 20
    /// The size beyond which a request is large.
    ///
    /// Of a person's large requests, one arrives at a time, and one is carried out.
    package var largeRequestByteCount = 1 << 20
    /// The size up to which a request is small.
    package var smallRequestByteCount = 64 << 10
    /// The most bytes of one person's replies until they are read.
    ///
    /// Small replies do not count, and a single reply may be larger.
    package var replyByteCount = 32 << 20
    /// The most bytes of all persons' replies; a single one without others may be larger.
    package var replyByteCountInAll = 128 << 20
    /// The size up to which a reply is small.
    package var smallReplyByteCount = 64 << 10

    package init() {}
}
