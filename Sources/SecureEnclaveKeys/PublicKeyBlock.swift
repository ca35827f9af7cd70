internal import Cryptography
import Foundation

/// A public key as text (RFC 7468 §13).
enum PublicKeyBlock {
    private static let begin = "-----BEGIN PUBLIC KEY-----"
    private static let end = "-----END PUBLIC KEY-----"
    private static let lineLength = 64

    /// Returns the block without a line break at its end.
    static func text(of der: Data) -> String {
        var lines: [Substring] = []
        var rest = der.base64EncodedString()[...]
        while !rest.isEmpty {
            lines.append(rest.prefix(lineLength))
            rest = rest.dropFirst(lineLength)
        }
        return ([begin[...]] + lines + [end[...]]).joined(separator: "\n")
    }

    /// Returns the bytes of a block; ignores blank lines, and white space at the ends of lines.
    ///
    /// - Throws: An error for any other text.
    static func read(_ text: String) throws -> Data {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        guard lines.count > 2, lines.first == begin, lines.last == end,
            let der = Data(base64Encoded: lines.dropFirst().dropLast().joined())
        else { throw CryptographyError.invalidInput("not a block of the label PUBLIC KEY") }
        return der
    }
}
