import PlaintextFormats
import Secrets

/// Takes the blocks out of a PEM file (RFC 7468); text around them is passed over.
///
/// Nothing of a block's content is ever in ordinary memory.
struct PEMReader {
    private static let begin = Array("-----BEGIN ".utf8)
    private static let end = Array("-----END ".utf8)
    private static let dashes = Array("-----".utf8)
    private static let encrypted = Array("Proc-Type: 4,ENCRYPTED".utf8)

    private var rest: Slice<UnsafeRawBufferPointer>

    private init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

    /// Whether a file is PEM: a line of it begins a block.
    static func recognizes(_ text: borrowing Secret) -> Bool {
        text.withUnsafeBytes { bytes in
            var reader = PEMReader(bytes)
            while let line = reader.nextLine() {
                if label(of: line, after: begin) != nil { return true }
            }
            return false
        }
    }

    /// All blocks, in order.
    ///
    /// - Throws: `PEMError`.
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

    /// Takes header lines, such as `Proc-Type: …`; an empty line behind them counts as a blank.
    ///
    /// - Returns: Whether they say that the block is encrypted.
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

    /// The next line without its end and without blanks at its end.
    private mutating func nextLine() -> Slice<UnsafeRawBufferPointer>? {
        guard !rest.isEmpty else { return nil }
        let line = rest.prefix { $0 != UInt8(ascii: "\n") }
        rest = rest[line.endIndex...].dropFirst()
        var end = line.endIndex
        while end > line.startIndex, line[end - 1] <= UInt8(ascii: " ") { end -= 1 }
        return line[..<end]
    }

    /// The label of a line that begins or ends a block; nil for any other line.
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
