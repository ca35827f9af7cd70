// ★ Table: the limits that either side accepts. Documentation/Spec/wire.md §8 lists them.

/// The limits that either side accepts.
package enum WireLimit {
    /// The largest frame of a daemon in bytes; a longer message continues in the next frame.
    package static let daemonFrameByteCount = 1 << 20
    /// The largest message of a daemon in bytes, over all of its frames.
    package static let daemonMessageByteCount = 256 << 20
    /// The largest body of a first message, before anything is known of the client.
    package static let helloByteCount = 64

    /// The deepest nesting of arrays and constraints.
    static let depth = 8
    /// The largest number of entries of a dictionary, and of elements of lists of groups, files and
    /// the like.
    static let entries = 4096
    /// The largest number of elements of an array of attributes, and of a list of lines or
    /// findings.
    static let elements = 65_536
    /// The largest number of results of a search.
    static let results = 1_000_000
    /// The largest number of parts of one level of a constraint.
    static let parts = 16
    /// The largest value of a count; sums of such counts do not overflow.
    static let count: UInt64 = 1 << 48
    /// The largest secret that does not take memory of its own from the kernel.
    static let smallSecretByteCount = 4096

    /// The limits of the content of one message, so that it takes little more memory than its
    /// bytes.
    struct Budget {
        /// Elements of lists and entries of dictionaries.
        var values: Int
        var secrets: Int
        /// Secrets of more than `smallSecretByteCount`.
        var largeSecrets: Int

        static let client = Budget(values: 262_144, secrets: 4096, largeSecrets: 64)
        static let daemon = Budget(values: 1 << 25, secrets: 4_000_000, largeSecrets: 32_768)

        /// Counts a number of values.
        ///
        /// - Returns: An error if there are too many.
        mutating func takeValues(_ count: Int) -> WireError? {
            guard count <= values else { return .limitExceeded("number of values") }
            values -= count
            return nil
        }

        /// Counts a secret of a number of bytes.
        ///
        /// - Returns: An error if there are too many.
        mutating func takeSecret(byteCount: Int) -> WireError? {
            guard secrets > 0 else { return .limitExceeded("number of secrets") }
            secrets -= 1
            guard byteCount > smallSecretByteCount else { return nil }
            guard largeSecrets > 0 else { return .limitExceeded("number of large secrets") }
            largeSecrets -= 1
            return nil
        }
    }
}
