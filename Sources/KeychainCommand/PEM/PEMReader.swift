import PlaintextFormats
import Secrets

/// A reader of the blocks in a PEM file (RFC 7468), which ignores text around them.
///
/// The content of a block is never in ordinary memory.
struct PEMReader {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let encrypted = Array("Proc-Type: 4,ENCRYPTED".utf8)

    private var rest: Slice<UnsafeRawBufferPointer>

    private init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

    /// Whether a file is PEM, which means that a line of it begins a block.
    static func recognizes(_ text: borrowing Secret) -> Bool {
        text.withUnsafeBytes { bytes in
            var reader = PEMReader(bytes)
            while let line = reader.nextLine() {
                if label(of: line, after: begin) != nil { return true }
            }
            return false
        }
    }

    /// Returns all blocks, in order.
    ///
    /// - Throws: `PEMError` for a malformed block.
    static func blocks(in text: borrowing Secret) throws(PEMError) -> [PEMBlock] {
        try text.withUnsafeBytes { bytes throws(PEMError) in
            var reader = PEMReader(bytes)
            var blocks: [PEMBlock] = []
            while let line = reader.nextLine() {
                guard let label = label(of: line, after: begin) else { continue }
                blocks.append(try reader.block(label))
            }
            return blocks
        }
    }

    private mutating func block(_ label: String) throws(PEMError) -> PEMBlock {
        let isEncrypted = takeHeaders()
        let start = rest.startIndex
        var line = rest.prefix(0)
        repeat {
            guard let next = nextLine() else { throw .unfinished }
            line = next
        } while !line.starts(with: Self.dashes)
        guard Self.label(of: line, after: Self.end) == label else { throw .unfinished }
        let body = rest.base[start..<line.startIndex]
        guard let content = Base64.decode(UnsafeRawBufferPointer(rebasing: body)) else {
            throw .malformed
        }
        return PEMBlock(label: label, isEncrypted: isEncrypted, content: SharedSecret(content))
    }

    /// Skips header lines, such as `Proc-Type: …`.
    ///
    /// Decoding ignores the empty line after them.
    ///
    /// - Returns: Whether the headers state that the block is encrypted.
    private mutating func takeHeaders() -> Bool {
        var isEncrypted = false
        var body = rest
        while let line = nextLine(), line.contains(UInt8(ascii: ":")) {
            isEncrypted = isEncrypted || line.starts(with: Self.encrypted)
            body = rest
        }
        rest = body
        return isEncrypted
    }

    /// Returns the next line without its line end and trailing blanks; nil at the end.
    private mutating func nextLine() -> Slice<UnsafeRawBufferPointer>? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest[line.endIndex...].dropFirst()
        var end = line.endIndex
        while end > line.startIndex, line[end - 1] <= UInt8(ascii: " ") { end -= 1 }
        return line[..<end]
    }

    /// Returns the label of a line that begins or ends a block; nil for any other line.
    private static func label(
        of line: Slice<UnsafeRawBufferPointer>,
        after lead: [UInt8]
    ) -> String? {
        guard line.starts(with: lead), line.count >= lead.count + dashes.count,
            line.suffix(dashes.count).elementsEqual(dashes)
        else { return nil }
        let label = line.dropFirst(lead.count).dropLast(dashes.count)
        guard label.count <= 64, label.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            return nil
        }
        return String(decoding: label, as: UTF8.self)
    }
}
