import Secrets

/// The key that chains the lines of an account's log.
struct AuditKey: ~Copyable {
    static let byteCount = 32
    let secret: Secret
}
