import Secrets

/// One block of a PEM file.
struct PEMBlock: Sendable {
    /// What stands between `BEGIN` and the dashes, such as `PRIVATE KEY`.
    let label: String
    /// Whether its headers say that it is encrypted the traditional way (RFC 1421 §4.6.1.1).
    let isEncrypted: Bool
    /// The decoded bytes.
    let content: SharedSecret
}

/// Why text is not PEM.
enum PEMError: Error, Equatable {
    /// A block begins and does not end, or ends under another label.
    case unfinished
    /// What stands between the lines is not Base64.
    case malformed
}
