/// A measure of how deep the code of a file nests, from its bytes, before anything walks its tree.
///
/// A parser calls itself for each level: `1 + 1 + …` with a million terms would end the process.
/// This count therefore does not call itself. It counts everything that can nest, and starts again
/// at each statement and each element of a list.
struct Nesting {
    /// The limit for a file; the stack of a `Worker` is large enough for it.
    static let mostLevels = 3_000
    static let mostBrackets = 200
    /// The parser tries each `[` as a type and as a value, with everything inside, so that each
    /// level doubles its work.
    static let mostAttempts = 1 << 17

    /// An open level: a bracket, `#` for `#if`, or the file.
    private struct Level {
        let kind: UInt8
        /// The levels around it.
        let outer: Int
        var tokens = 0
        /// The number of `else` in a row.
        var branches = 0
        /// The number of open `<`, in levels.
        ///
        /// A `<` with spaces around it may be a comparison or not. The parser reads to the end
        /// after each one, so it counts as more.
        var angles = 0
        /// The number of square brackets around it since the last brace.
        var squares = 0
        /// The number of `#` of the text around this interpolation; nil if there is none.
        var text: (hashes: Int, isLong: Bool)?

        var depth: Int { outer + tokens + 3 * branches + angles }

        mutating func start() {
            tokens = 0
            branches = 0
            angles = 0
        }
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var levels = [Level(kind: 0, outer: 0)]
    private var deepest = 0
    private var brackets = 0
    private var attempts = 0
    /// Whether a statement could end before the current token.
    private var canEnd = true
    private var isNewLine = false

    /// Whether a file nests too deep for reading.
    static func isTooDeep(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var nesting = Nesting(bytes)
            return nesting.read()
        }
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private mutating func read() -> Bool {
        while at < bytes.count {
            let byte = bytes[at]
            switch Self.kinds[Int(byte)] {
            case .space: at += 1
            case .newLine:
                isNewLine = true
                at += 1
            case .word: word()
            case .sign: sign(byte)
            case .quote: text(hashes: 0)
            case .hash: hash()
            case .open: open(byte)
            case .close: close(byte)
            case .separator: separator(byte)
            case .other: at += 1
            }
            let level = levels[levels.count - 1]
            deepest = max(deepest, level.depth)
            if deepest > Self.mostLevels || levels.count > Self.mostBrackets
                || attempts > Self.mostAttempts
            {
                return true
            }
        }
        return false
    }

    private var last: Int { levels.count - 1 }

    private func byte(_ index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

    /// Counts a token, which begins a statement if it is on a new line after a complete one.
    private mutating func count(continues: Bool = false) {
        if isNewLine, canEnd, !continues { levels[last].start() }
        isNewLine = false
        levels[last].tokens += 1
    }

    // MARK: Tokens

    /// Words after which a statement continues on the next line, by `packed`.
    private static let leading: Set<UInt64> = Set(
        [
            "any", "as", "await", "borrowing", "case", "consume", "consuming", "copy", "defer",
            "do", "each", "else", "for", "guard", "if", "in", "indirect", "inout", "is", "let",
            "repeat", "return", "sending", "some", "switch", "throw", "throws", "try", "unsafe",
            "var", "where", "while", "yield", "isolated", "discard", "then",
        ].map { packed($0.utf8) }
    )

    private static let otherwise = packed("else".utf8)
    private static let following: Set<UInt64> = Set(["else", "as", "is"].map { packed($0.utf8) })

    /// Returns the first eight bytes as a number.
    private static func packed(_ word: some Collection<UInt8>) -> UInt64 {
        var number: UInt64 = 0
        for byte in word.prefix(8) { number = number << 8 | UInt64(byte) }
        return number
    }

    private mutating func word() {
        let start = at
        var number: UInt64 = 0
        while at < bytes.count {
            let byte = bytes[at]
            guard Self.kinds[Int(byte)] == .word else { break }
            if at - start < 8 { number = number << 8 | UInt64(byte) }
            at += 1
        }
        // Most words are in neither list, and all words in them begin with a small letter.
        let first = bytes[start]
        guard first >= 0x61, first <= 0x79, at - start <= 9 else {
            count()
            canEnd = true
            return
        }
        count(continues: isNewLine && Self.following.contains(number))
        canEnd = !Self.leading.contains(number)
        if number == Self.otherwise {
            levels[last].branches += 1
            levels[last].tokens = 0
        }
    }

    private mutating func sign(_ byte: UInt8) {
        if byte == UInt8(ascii: "/"), skipComment() { return }
        let isAttached = at > 0 && ![.space, .newLine].contains(Self.kinds[Int(bytes[at - 1])])
        count(continues: byte != UInt8(ascii: "@"))
        if byte == UInt8(ascii: "<") { levels[last].angles += isAttached ? 2 : 8 }
        if byte == UInt8(ascii: ">"), at > 0, bytes[at - 1] != UInt8(ascii: "-") {
            levels[last].angles = max(0, levels[last].angles - 2)
        }
        canEnd = isAttached && (byte == 0x21 || byte == 0x3E || byte == 0x3F)
        at += 1
    }

    /// Skips `// …` and `/* … */`.
    private mutating func skipComment() -> Bool {
        if byte(at + 1) == UInt8(ascii: "/") {
            while at < bytes.count, Self.kinds[Int(bytes[at])] != .newLine { at += 1 }
            return true
        }
        guard byte(at + 1) == UInt8(ascii: "*") else { return false }
        var open = 0
        repeat {
            if bytes[at] == UInt8(ascii: "/"), byte(at + 1) == UInt8(ascii: "*") {
                open += 1
                at += 2
            } else if bytes[at] == UInt8(ascii: "*"), byte(at + 1) == UInt8(ascii: "/") {
                open -= 1
                at += 2
            } else {
                at += 1
            }
        } while open > 0 && at < bytes.count
        return true
    }

    private mutating func separator(_ byte: UInt8) {
        at += 1
        isNewLine = false
        canEnd = false
        levels[last].tokens = 0
        if byte == UInt8(ascii: ";") { levels[last].start() }
    }

    // MARK: Levels

    private mutating func push(_ kind: UInt8) {
        let isSquare = kind == UInt8(ascii: "[")
        let squares = kind == UInt8(ascii: "{") ? 0 : levels[last].squares + (isSquare ? 1 : 0)
        if isSquare, squares > 5 { attempts += 1 << min(squares, 20) }
        levels.append(Level(kind: kind, outer: levels[last].depth, squares: squares))
        canEnd = true
        isNewLine = true
    }

    private mutating func open(_ byte: UInt8) {
        count(continues: byte == UInt8(ascii: "{"))
        at += 1
        push(byte)
    }

    private mutating func close(_ byte: UInt8) {
        at += 1
        // `(` and `)` differ by one, the others by two.
        let kind = byte == UInt8(ascii: ")") ? byte - 1 : byte - 2
        pop(kind)
        canEnd = true
        isNewLine = false
        guard let text = levels[levels.count - 1].text, byte == UInt8(ascii: ")") else { return }
        levels[last].text = nil
        skipText(text.hashes, isLong: text.isLong)
    }

    /// Closes all levels up to a bracket of this kind; without such a bracket, it closes none.
    private mutating func pop(_ kind: UInt8) {
        let isStrong = kind == UInt8(ascii: "{") || kind == UInt8(ascii: "#")
        for index in levels.indices.dropFirst().reversed() {
            if levels[index].kind == kind {
                levels.removeSubrange(index...)
                return
            }
            if !isStrong, levels[index].kind == UInt8(ascii: "{") { return }
        }
    }

    private mutating func hash() {
        let start = at
        while byte(at) == UInt8(ascii: "#") { at += 1 }
        if byte(at) == UInt8(ascii: "\"") { return text(hashes: at - start) }
        let name = at
        while at < bytes.count, Self.kinds[Int(bytes[at])] == .word { at += 1 }
        switch Self.packed(bytes[name..<at]) {
        case Self.packed("if".utf8):
            levels[last].start()
            push(UInt8(ascii: "#"))
        case Self.packed("endif".utf8): pop(UInt8(ascii: "#"))
        default: count()
        }
        canEnd = true
    }

    // MARK: Texts

    private mutating func text(hashes: Int) {
        count()
        canEnd = true
        let isLong = byte(at + 1) == 0x22 && byte(at + 2) == 0x22
        at += isLong ? 3 : 1
        skipText(hashes, isLong: isLong)
    }

    /// Skips to the end of the text, or to the next interpolation.
    private mutating func skipText(_ hashes: Int, isLong: Bool) {
        while at < bytes.count {
            let byte = bytes[at]
            if byte == 0x22 {
                let quotes = isLong ? 3 : 1
                if isRun(of: 0x22, quotes, from: at),
                    isRun(of: UInt8(ascii: "#"), hashes, from: at + quotes)
                {
                    at += quotes + hashes
                    return
                }
            } else if byte == UInt8(ascii: "\\") {
                if isRun(of: UInt8(ascii: "#"), hashes, from: at + 1) {
                    at += 1 + hashes
                    if self.byte(at) == UInt8(ascii: "(") {
                        levels[last].text = (hashes, isLong)
                        open(UInt8(ascii: "("))
                        return
                    }
                }
            } else if !isLong, Self.kinds[Int(byte)] == .newLine {
                return
            }
            at += 1
        }
    }

    private func isRun(of expected: UInt8, _ count: Int, from start: Int) -> Bool {
        for index in start..<(start + count) where byte(index) != expected { return false }
        return true
    }

    // MARK: Bytes

    private enum Kind {
        case space, newLine, word, sign, quote, hash, open, close, separator, other
    }

    private static let kinds: [Kind] = (0..<256).map { code in
        let byte = UInt8(code)
        switch byte {
        case 0x0A, 0x0D: return .newLine
        case 0x00...0x20: return .space
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x60, 0x80...: return .word
        case 0x22: return .quote
        case 0x23: return .hash
        case 0x28, 0x5B, 0x7B: return .open
        case 0x29, 0x5D, 0x7D: return .close
        case 0x2C, 0x3B: return .separator
        case 0x5C: return .other
        default: return .sign
        }
    }
}
