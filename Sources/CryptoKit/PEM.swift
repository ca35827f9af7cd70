import Cryptography
import PlaintextFormats
import Secrets

/// Text around DER (RFC 7468), whose content is only in memory that is wiped, and in the text.
enum PEM {
    /// Runs a function that reads DER.
    static func object<Value>(_ body: () throws(CryptographyError) -> Value) throws -> Value {
        do throws(CryptographyError) { return try body() } catch {
            throw CryptoKitASN1Error.invalidASN1Object
        }
    }

    /// Writes DER, without a line end after the last line.
    static func text(_ der: UnsafeRawBufferPointer, _ label: String) -> String {
        let begin = "-----BEGIN \(label)-----\n"
        let end = "-----END \(label)-----"
        let lineCount = (der.count + Base64.lineByteCount - 1) / Base64.lineByteCount
        let capacity = begin.utf8.count + lineCount * 65 + end.utf8.count
        return String(unsafeUninitializedCapacity: capacity) { target in
            var count = 0
            let emit = { (byte: UInt8) in
                target[count] = byte
                count += 1
            }
            begin.utf8.forEach(emit)
            Base64.encodeLines(der, emit)
            end.utf8.forEach(emit)
            return count
        }
    }

    /// Reads text that is one block with one of some labels; ignores blanks around lines.
    ///
    /// - Throws: `CryptoKitASN1Error.invalidPEMDocument`.
    static func read(_ text: String, _ labels: [String]) throws -> SharedSecretBytes {
        var text = text
        // A string of Swift lends its own bytes here, without a copy.
        return try text.withUTF8 { text in
            for label in labels {
                guard let body = body(of: UnsafeRawBufferPointer(text), label) else { continue }
                guard let der = Base64.decode(body), der.byteCount > 0 else { break }
                return SharedSecretBytes(der)
            }
            throw CryptoKitASN1Error.invalidPEMDocument
        }
    }

    /// Returns the text between the first line and the last one, if these have the label.
    private static func body(
        of text: UnsafeRawBufferPointer,
        _ label: String
    ) -> UnsafeRawBufferPointer? {
        guard let first = text.firstIndex(where: { !isBlank($0) }),
            let last = text.lastIndex(where: { !isBlank($0) })
        else { return nil }
        let block = text[first...last]
        let begin = Array("-----BEGIN \(label)-----".utf8)
        let end = Array("-----END \(label)-----".utf8)
        guard block.starts(with: begin), block.count > begin.count + end.count,
            block.suffix(end.count).elementsEqual(end)
        else { return nil }
        let body = block.dropFirst(begin.count).dropLast(end.count)
        // Both lines end exactly where the body starts and ends, apart from blanks.
        guard body.prefix(while: isBlank).contains(where: isLineEnd),
            body.reversed().prefix(while: isBlank).contains(where: isLineEnd)
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: body)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { (0x0A...0x0D).contains(byte) }
}
