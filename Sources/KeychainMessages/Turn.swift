import KeychainModel

/// What a keychain says next in a call: its reply, or what somebody has to prove first.
///
/// A connection has one call at a time. It begins with a `Request`; every challenge is followed by
/// a `PromptAnswer` from whoever asks the person; the reply, or an error, ends it.
package enum Turn: Sendable {
    case reply(Reply)
    case challenge(Challenge)
}
