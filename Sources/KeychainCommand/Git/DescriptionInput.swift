import KeychainModel
import Secrets

/// Reads a description up to its empty line, straight into memory that is wiped.
enum DescriptionInput {
    /// The greatest description, in bytes; git itself reads lines of any length.
    static let byteCountLimit = 1 << 20

    private static let chunkByteCount = 4096

    /// Reads until an empty line or the end of input.
    ///
    /// - Throws: `errSecIO`; `errSecDataTooLarge`.
    static func read(_ terminal: any Terminal) throws(KeychainError) -> Secret {
        var all = Secret(byteCount: 0) { _ in }
        while !all.withUnsafeBytes(endsDescription) {
            var count = 0
            let chunk = try Secret(byteCount: chunkByteCount) { target throws(KeychainError) in
                count = try terminal.read(into: target)
            }
            guard count > 0 else { break }
            guard all.byteCount + count <= byteCountLimit else {
                throw KeychainError(.dataTooLarge, "the description of a credential has no end")
            }
            let part = chunk.withUnsafeBytes { bytes in
                Secret(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
            }
            all = Secret(concatenating: all, part)
        }
        return all
    }

    /// Whether the last line is empty.
    private static func endsDescription(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.last == UInt8(ascii: "\n") else { return false }
        let line = bytes.dropLast().reversed().prefix { $0 != UInt8(ascii: "\n") }
        return line.allSatisfy { $0 == UInt8(ascii: "\r") }
    }
}
