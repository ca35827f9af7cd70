// ★ Table: the limits of what either side accepts. Documentation/Spec/wire.md §8 lists them.

/// How much either side accepts.
package enum WireLimit {
    /// The largest frame of a daemon in bytes; a longer message goes on in the next frame.
    package static let daemonFrameByteCount = 1 << 20
    /// The largest message of a daemon in bytes, over all of its frames.
    package static let daemonMessageByteCount = 256 << 20
    /// The largest body of a first message, before anything is known of the client.
    package static let helloByteCount = 64

    /// How deep arrays and constraints may lie in each other.
    static let depth = 8
    /// The entries of one dictionary, and the elements of lists of groups, files and the like.
    static let entries = 4096
    /// The elements of an array of attributes, and of a list of lines or findings.
    static let elements = 65_536
    /// The results of a search.
    static let results = 1_000_000
    /// The parts of one level of a constraint.
    static let parts = 16
    /// The largest number of anything that is counted: sums of such numbers do not overflow.
    static let count: UInt64 = 1 << 48
    /// A secret of more bytes takes memory of its own from the kernel.
    static let smallSecretByteCount = 4096

    /// What one message may hold in all, so that it takes little more memory than its bytes.
    struct Budget {
        /// Elements of lists and entries of dictionaries.
        var values: Int
        var secrets: Int
        /// Secrets of more than `smallSecretByteCount`.
        var largeSecrets: Int

        static let client = Budget(values: 262_144, secrets: 4096, largeSecrets: 64)
        static let daemon = Budget(values: 1 << 25, secrets: 4_000_000, largeSecrets: 32_768)

        /// Counts so many values.
        ///
        /// - Returns: What is wrong if there are too many.
        mutating func takeValues(_ count: Int) -> WireError? {
            guard count <= values else { return .limitExceeded("number of values") }
            values -= count
            return nil
        }

        /// Counts a secret of so many bytes.
        ///
        /// - Returns: What is wrong if there are too many.
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
