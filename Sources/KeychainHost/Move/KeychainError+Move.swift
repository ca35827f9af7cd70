import KeychainModel

extension KeychainError {
    /// Returns the refusal to replace a keychain with items.
    package static func occupied(itemCount: Int) -> KeychainError {
        let items = itemCount == 1 ? "an item" : "\(itemCount) items"
        return KeychainError(
            .duplicateItem,
            "the daemon already has \(items) of this account; to bring the others in, run"
                + " KEYCHAIN_SOCKET= keychainctl backup FILE, then keychainctl restore FILE"
        )
    }
}
