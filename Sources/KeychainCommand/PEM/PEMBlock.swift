import Secrets

/// One block of a PEM file.
struct PEMBlock: Sendable {
    /// The label after `BEGIN`, such as `PRIVATE KEY`.
    let label: String
    /// Whether the headers state traditional encryption (RFC 1421 §4.6.1.1).
    let isEncrypted: Bool
    /// The decoded bytes.
    let content: SharedSecret
}

/// The reason why text is not PEM.
enum PEMError: Error, Equatable {
    /// A block does not end, or ends with another label.
    case unfinished
    /// The text between the lines is not Base64.
    case malformed
}
