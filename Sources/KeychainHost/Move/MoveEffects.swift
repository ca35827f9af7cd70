import KeychainModel

/// A hook before each change that a move makes on a disk, so that tests can stop it there.
package struct MoveEffects: Sendable {
    private let before: @Sendable (String) throws(KeychainError) -> Void

    /// - Parameter before: Called with the name of each effect before it happens; if it throws, the
    ///   effect does not happen.
    package init(
        before: @escaping @Sendable (String) throws(KeychainError) -> Void = {
            (_: String) throws(KeychainError) in
        }
    ) {
        self.before = before
    }

    package func callAsFunction<R>(
        _ name: String,
        _ effect: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        try before(name)
        return try effect()
    }
}
