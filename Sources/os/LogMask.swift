import Cryptography
import Secrets

/// Masks for private values: equal values have equal masks, and only the key connects them with
/// values.
///
/// The key is random and never leaves the process. So nobody can later compute the mask of a
/// guessed value, not even if Swift hashes deterministically.
struct LogMask: Sendable {
    /// The masks of this process.
    static let shared = LogMask()

    /// The number of bytes that distinguish values.
    private static let byteCount = 8

    /// The code before any text; nil if libcrypto or the kernel failed.
    private let start: RunningMessageCode?

    /// Generates a key.
    init() {
        do throws(CryptographyError) {
            start = try RunningMessageCode(.sha256, key: SystemRandomSource().secret(32))
        } catch { start = nil }
    }

    init(key: borrowing Secret) throws(CryptographyError) {
        start = try RunningMessageCode(.sha256, key: key)
    }

    /// Returns the text that the log shows in place of a value.
    func text(for value: String) -> String {
        guard let digits = digits(for: value) else { return "<private>" }
        return "<mask.hash: '\(digits)'>"
    }

    /// Returns the first bytes of the value's code (HMAC-SHA-256), in hexadecimal.
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
