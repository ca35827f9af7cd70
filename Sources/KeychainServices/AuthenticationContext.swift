/// What the keychain asks of the object under `kSecUseAuthenticationContext`.
///
/// The context's class is declared further up; here it is known by what it answers.
package protocol AuthenticationContext: AnyObject, Sendable {
    /// Whether a prompt must not be shown for this context.
    var interactionNotAllowed: Bool { get }

    /// Whether the context was invalidated and may answer for nothing any more.
    var isInvalidated: Bool { get }

    /// Lends the application password, or nil if none is set; the bytes are gone after the call.
    func withApplicationPassword<Result>(
        _ body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result
}
