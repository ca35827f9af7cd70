import Cryptography
import Secrets

/// Masks for private values: equal values have equal masks, and only the key tells which values.
///
/// The key is random and never leaves the process. So nobody can compute the mask of a guessed
/// value later, not even if Swift hashes deterministically.
struct LogMask: Sendable {
    /// The masks of this process.
    static let shared = LogMask()

    /// Eight bytes are enough to tell values apart.
    private static let byteCount = 8

    /// The code of no text yet; nil if libcrypto or the kernel fails.
    private let start: RunningMessageCode?

    /// Draws a key.
    init() {
        do throws(CryptographyError) {
            start = try RunningMessageCode(.sha256, key: SystemRandomSource().secret(32))
        } catch { start = nil }
    }

    init(key: borrowing Secret) throws(CryptographyError) {
        start = try RunningMessageCode(.sha256, key: key)
    }

    /// Returns what the log shows in place of a value.
    func text(for value: String) -> String {
        guard let digits = digits(for: value) else { return "<private>" }
        return "<mask.hash: '\(digits)'>"
    }

    /// The first bytes of the value's code (HMAC-SHA-256), in hexadecimal.
    private func digits(for value: String) -> String? {
        guard var code = start else { return nil }
        var value = value
        do {
            try value.withUTF8 { try code.update(UnsafeRawBufferPointer($0)) }
            return try code.code().prefix(Self.byteCount).map { byte in
                let digits = String(byte, radix: 16)
                return byte < 16 ? "0" + digits : digits
            }.joined()
        } catch { return nil }
    }
}
