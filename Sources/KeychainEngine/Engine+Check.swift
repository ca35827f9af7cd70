import KeychainModel

// Verifying a keychain, and taking its rows for what was written.
//
// Source: requirement STO-11; Documentation/Spec/store.md §4, §6.
extension Engine {
    /// Verifies everything, as it is at one moment.
    ///
    /// - Throws: what keeps the keychain from being looked at.
    package func check(
        _ extent: CheckExtent = .everything,
        naming: CheckListener = { _ in },
        noting: BoundItemListener = { _ in },
        progress: (Int) -> Void = { _ in }
    ) throws(KeychainError) -> CheckReport {
        try enter { rooms throws(KeychainError) in
            try rooms.vault.check(
                extent,
                rooms.session,
                naming: naming,
                noting: noting,
                progress: progress
            )
        }
    }

    /// Takes the rows that are there for those that were written, after a person looked at what a
    /// check tells.
    ///
    /// - Returns: How many they are.
    /// - Throws: What the store throws.
    package func acceptRows() throws(KeychainError) -> Int {
        try enter { rooms throws(KeychainError) in
            try rooms.vault.acceptRows(&rooms.session)
        }
    }
}
