import KeychainModel

/// One step of a call: the reply, or a challenge that the user has to answer first.
///
/// A connection has one call at a time. It begins with a `Request`; every challenge is followed by
/// a `PromptAnswer` from the prompter; the reply, or an error, ends it.
package enum CallStep: Sendable {
    case reply(Reply)
    case challenge(Challenge)
}
