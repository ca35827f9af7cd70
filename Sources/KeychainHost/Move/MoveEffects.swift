import KeychainModel

/// Stands in front of everything that a move does to a disk, so that tests can end it there.
package struct MoveEffects: Sendable {
    private let before: @Sendable (String) throws(KeychainError) -> Void

    /// - Parameter before: Is told of each effect before it happens; what it throws keeps the
    ///   effect from happening.
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
