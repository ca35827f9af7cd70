/// What a server allows, so that nobody can take it from the others.
///
/// - Source: Documentation/Spec/wire.md §8.
package struct ServerLimits: Sendable {
    /// Connections of one account, and of all accounts.
    package var connectionsPerAccount = 64
    package var connections = 1024
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
    /// What requests of one account may hold in all while they arrive and are carried out, in
    /// bytes; small ones do not count.
    package var requestByteCount = 128 << 20
    /// Up to so many bytes a request is small.
    package var smallRequestByteCount = 64 << 10
    /// What replies of one account may hold in all until they are read, in bytes; small ones do not
    /// count, and a single one may always be larger.
    package var replyByteCount = 64 << 20
    /// Up to so many bytes a reply is small.
    package var smallReplyByteCount = 64 << 10

    package init() {}
}
