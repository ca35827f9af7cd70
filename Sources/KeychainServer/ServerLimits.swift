import Glibc

/// What a server allows, so that nobody can take it from the others.
///
/// - Source: Documentation/Spec/wire.md §8.
package struct ServerLimits: Sendable {
    /// Connections of one person, and of all persons.
    package var connectionsPerPerson = 64
    package var connections = 4096
    /// Up to so many connections a person gets also where all are taken and none is idle.
    package var connectionFloor = 2
    /// Calls of one person that are at work at a time.
    package var callsPerPerson = max(4, 2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// How long a connection may take to say hello, in milliseconds.
    package var helloMilliseconds: UInt32 = 10_000
    /// How long a message may take from its first byte to its last.
    package var messageMilliseconds: UInt32 = 10_000
    /// How long a client may leave its reply unread.
    package var replyMilliseconds: UInt32 = 10_000
    /// How long calls under way have when the server stops.
    package var stopMilliseconds: UInt32 = 5000
    /// How long nothing is sent before memory is given back, in milliseconds.
    package var restMilliseconds: Int32 = 5000
    /// How long a connection waits for a message before it gives its thread back.
    package var idleMilliseconds: UInt32 = 1000
    /// What requests of one person may hold in all while they arrive and are carried out, in
    /// bytes; small ones do not count.
    package var requestByteCount = 24 << 20
    /// What requests of all persons may hold in all; nobody gets more than half of what the others
    /// leave.
    package var requestByteCountInAll = 128 << 20
    /// Beyond so many bytes a request is large: of those, one of a person arrives at a time, and
    /// one is carried out.
    package var largeRequestByteCount = 1 << 20
    /// Up to so many bytes a request is small.
    package var smallRequestByteCount = 64 << 10
    /// What replies of one person may hold in all until they are read, in bytes; small ones do not
    /// count, and a single one may always be larger.
    package var replyByteCount = 32 << 20
    /// The same for the replies of all persons; a single one, if there is no other, may be larger.
    package var replyByteCountInAll = 128 << 20
    /// Up to so many bytes a reply is small.
    package var smallReplyByteCount = 64 << 10

    package init() {}
}
