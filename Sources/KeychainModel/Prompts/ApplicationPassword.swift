/// The password of an application, which is part of the key of items.
package enum ApplicationPassword {
    /// The most bytes of one.
    ///
    /// A person can type as many at every prompt, so nothing is sealed with a password that a
    /// prompt would not take.
    package static let byteCountLimit = 4095

    /// Refuses a password that is too large.
    ///
    /// - Throws: `errSecParam`.
    package static func requireSize(_ byteCount: Int) throws(KeychainError) {
        guard byteCount > byteCountLimit else { return }
        let reason =
            "the application password of the context has \(byteCount) bytes, and the limit is"
            + " \(byteCountLimit)"
        throw KeychainError(.param, reason)
    }
}
