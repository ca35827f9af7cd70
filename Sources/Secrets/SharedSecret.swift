/// A secret with several owners, for values that have to be copyable, such as messages.
///
/// The bytes are wiped when the last owner releases the secret.
package final class SharedSecret: Sendable, CustomStringConvertible {
    /// The only copy of the bytes.
    package let secret: Secret

    /// Takes over a secret; its bytes are not copied.
    package init(_ secret: consuming Secret) {
        self.secret = secret
    }

    /// The size only, for messages and logs.
    package var description: String { secret.description }
}
