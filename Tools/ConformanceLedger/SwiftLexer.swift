/// Cuts Swift source into tokens, so that words in comments and strings do not count as code.
///
/// It knows nested comments, raw and multi-line strings, interpolation and raw identifiers. It
/// never fails: an unterminated piece ends with the file.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var index = 0
    private var line = 1

    private init(_ source: String) {
        bytes = Array(source.utf8)
    }

    /// Returns the tokens of a source file in order, including comments.
    static func tokens(of source: String) -> [SwiftToken] {
        var lexer = SwiftLexer(source)
        var tokens: [SwiftToken] = []
        while let token = lexer.next() { tokens.append(token) }
        return tokens
    }

    private func peek(_ offset: Int = 0) -> UInt8? {
        index + offset < bytes.count ? bytes[index + offset] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where index < bytes.count {
            if bytes[index] == .newline { line += 1 }
            index += 1
        }
    }

    private func text(from start: Int, to end: Int) -> String {
        String(decoding: bytes[start..<max(start, min(end, bytes.count))], as: UTF8.self)
    }

    private mutating func next() -> SwiftToken? {
        while let byte = peek(), byte.isSpace { advance() }
        guard let byte = peek() else { return nil }
        switch byte {
        case .slash where peek(1) == .slash: return lineComment()
        case .slash where peek(1) == .star: return blockComment()
        case .quote: return string(hashes: 0)
        case .backtick: return rawIdentifier()
        case .hash: return hashed()
        case _ where byte.isWord: return word()
        default:
            advance()
            return SwiftToken(.punctuation, text(from: index - 1, to: index), line: line)
        }
    }

    private mutating func word() -> SwiftToken {
        let start = index
        while let byte = peek(), byte.isWord { advance() }
        return SwiftToken(.identifier, text(from: start, to: index), line: line)
    }

    private mutating func rawIdentifier() -> SwiftToken {
        advance()
        let start = index
        let startLine = line
        while let byte = peek(), byte != .backtick, byte != .newline { advance() }
        defer { advance() }
        return SwiftToken(.rawIdentifier, text(from: start, to: index), line: startLine)
    }

    private mutating func lineComment() -> SwiftToken {
        let start = index
        while let byte = peek(), byte != .newline { advance() }
        return SwiftToken(.comment, text(from: start, to: index), line: line)
    }

    private mutating func blockComment() -> SwiftToken {
        let start = index
        let startLine = line
        var depth = 0
        repeat {
            if peek() == .slash, peek(1) == .star {
                depth += 1
                advance(2)
            } else if peek() == .star, peek(1) == .slash {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && peek() != nil
        return SwiftToken(.comment, text(from: start, to: index), line: startLine)
    }
}

// MARK: - Strings

extension SwiftLexer {
    /// Reads the token after a `#`: a raw string, an extended regex, or the mark alone.
    private mutating func hashed() -> SwiftToken {
        var count = 0
        while peek(count) == .hash { count += 1 }
        if peek(count) == .quote {
            advance(count)
            return string(hashes: count)
        }
        if peek(count) == .slash { return extendedRegex(hashes: count) }
        advance()
        return SwiftToken(.punctuation, "#", line: line)
    }

    private mutating func extendedRegex(hashes: Int) -> SwiftToken {
        let startLine = line
        advance(hashes + 1)
        let start = index
        while peek() != nil, !(peek() == .slash && isHashed(1, hashes)) { advance() }
        defer { advance(1 + hashes) }
        return SwiftToken(.string, text(from: start, to: index), line: startLine)
    }

    private func isHashed(_ offset: Int, _ count: Int) -> Bool {
        (0..<count).allSatisfy { peek(offset + $0) == .hash }
    }

    private mutating func string(hashes: Int) -> SwiftToken {
        let startLine = line
        let quotes = peek(1) == .quote && peek(2) == .quote ? 3 : 1
        advance(quotes)
        let start = index
        while let byte = peek(), !isStringEnd(quotes: quotes, hashes: hashes) {
            if byte == .newline, quotes == 1 { break }
            guard byte == .backslash, isHashed(1, hashes) else {
                advance()
                continue
            }
            advance(1 + hashes)
            if peek() == .openParenthesis { skipInterpolation() } else { advance() }
        }
        let content = text(from: start, to: index)
        if isStringEnd(quotes: quotes, hashes: hashes) { advance(quotes + hashes) }
        return SwiftToken(.string, content, line: startLine)
    }

    private func isStringEnd(quotes: Int, hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { peek($0) == .quote } && isHashed(quotes, hashes)
    }

    private mutating func skipInterpolation() {
        var depth = 0
        repeat {
            guard let token = next() else { return }
            if token.isCode("(") { depth += 1 }
            if token.isCode(")") { depth -= 1 }
        } while depth > 0
    }
}

extension UInt8 {
    fileprivate static let newline = UInt8(ascii: "\n")
    fileprivate static let slash = UInt8(ascii: "/")
    fileprivate static let star = UInt8(ascii: "*")
    fileprivate static let quote = UInt8(ascii: "\"")
    fileprivate static let backtick = UInt8(ascii: "`")
    fileprivate static let hash = UInt8(ascii: "#")
    fileprivate static let backslash = UInt8(ascii: "\\")
    fileprivate static let openParenthesis = UInt8(ascii: "(")

    fileprivate var isSpace: Bool { self == 32 || (9...13).contains(self) }

    fileprivate var isWord: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
            true
        default:
            false
        }
    }
}
