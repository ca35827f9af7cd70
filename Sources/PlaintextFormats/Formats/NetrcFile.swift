import Secrets

/// `~/.netrc`: words, of which `machine`, `login` and `password` make an account.
///
/// A value may stand in double quotes with backslashes in it, as curl has it. Macros stay.
/// - Source: netrc(5); curl, `--netrc`.
struct NetrcFile {
    private struct Word {
        let range: Range<Int>
    }

    /// An account in the making.
    private struct Account {
        /// nil for `default`.
        var machine: String?
        var login: String?
        var password: Range<Int>?
        var hasAccountPassword = false
        var words: [Range<Int>]
    }

    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        var file = NetrcFile(view)
        try file.read()
        return file.entries
    }

    private let view: ByteView
    private var position = 0
    private var account: Account?
    private var entries: [PlaintextEntry] = []

    private init(_ view: ByteView) { self.view = view }

    private mutating func read() throws(PlaintextError) {
        while let word = try nextWord() {
            if view[word.range.lowerBound] == UInt8(ascii: "#") {
                position = view.lines[line(word) - 1].whole.upperBound
                continue
            }
            switch try view.text(word.range) {
            case "machine":
                close()
                let name = try value(of: word)
                account = Account(machine: try text(name), words: [word.range, name])
            case "default":
                close()
                account = Account(machine: nil, words: [word.range])
            case "login":
                try take(word) { account, name, file throws(PlaintextError) in
                    account.login = try file.text(name)
                }
            case "password": try take(word) { account, range, _ in account.password = range }
            case "account": try take(word) { account, _, _ in account.hasAccountPassword = true }
            case "macdef":
                close()
                try skipMacro(word)
            default: throw PlaintextError(line(word), "an unknown word")
            }
        }
        close()
    }

    private mutating func take(
        _ word: Word,
        _ set: (inout Account, Range<Int>, NetrcFile) throws(PlaintextError) -> Void
    ) throws(PlaintextError) {
        guard var current = account else {
            throw PlaintextError(line(word), "no machine before it")
        }
        let range = try value(of: word)
        current.words += [word.range, range]
        try set(&current, range, self)
        account = current
    }

    /// Ends the account; one with a password is an entry.
    private mutating func close() {
        defer { account = nil }
        guard let account, let password = account.password else { return }
        let place = ServerPlace(server: account.machine ?? "default", account: account.login ?? "")
        var hindrance = account.hasAccountPassword ? "it has an account password as well" : nil
        if account.machine == nil { hindrance = "it is for every machine" }
        entries.append(
            PlaintextEntry(
                .server(place),
                line: view.lineNumber(at: account.words[0].lowerBound),
                removal: removal(of: account.words),
                secret: view.secret(password, rule: Self.unquote),
                written: written(password),
                hindrance: hindrance
            )
        )
    }

    /// Whole lines where nothing else stands on them, else the words and the blanks behind them.
    private func removal(of words: [Range<Int>]) -> [Range<Int>] {
        let byLine = Dictionary(grouping: words) { view.lineNumber(at: $0.lowerBound) }
        return byLine.keys.sorted().flatMap { number -> [Range<Int>] in
            let line = view.lines[number - 1]
            let own = byLine[number] ?? []
            let taken = own.reduce(0) { $0 + $1.count }
            let present = line.content.count { !view.isBlank(view[$0]) }
            let blanks = own.reduce(0) { sum, word in sum + word.count { view.isBlank(view[$0]) } }
            if taken - blanks == present { return [line.whole] }
            return own.map { word in
                var end = word.upperBound
                while end < line.content.upperBound, view.isBlank(view[end]) { end += 1 }
                return word.lowerBound..<end
            }
        }
    }

    /// Names the line of a word.
    private func line(_ word: Word) -> Int { view.lineNumber(at: word.range.lowerBound) }
}

// Words.
extension NetrcFile {
    private func isSpace(_ byte: UInt8) -> Bool { view.isBlank(byte) || byte == ByteView.newline }

    private mutating func nextWord() throws(PlaintextError) -> Word? {
        while position < view.bytes.count, isSpace(view[position]) { position += 1 }
        guard position < view.bytes.count else { return nil }
        let start = position
        if view[start] == UInt8(ascii: "\"") {
            position = try closingQuote(from: start) + 1
        } else {
            while position < view.bytes.count, !isSpace(view[position]) { position += 1 }
        }
        return Word(range: start..<position)
    }

    private func closingQuote(from start: Int) throws(PlaintextError) -> Int {
        let line = view.lines[view.lineNumber(at: start) - 1]
        var index = start + 1
        while index < line.content.upperBound {
            if view[index] == UInt8(ascii: "\"") { return index }
            index += view[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        throw PlaintextError(line.number, "a quotation mark that is never closed")
    }

    /// The word behind a keyword.
    private mutating func value(of keyword: Word) throws(PlaintextError) -> Range<Int> {
        guard let word = try nextWord() else {
            throw PlaintextError(line(keyword), "the file ends after a keyword")
        }
        guard view[word.range.lowerBound] != UInt8(ascii: "#") else {
            throw PlaintextError(line(word), "it may be a value or a comment")
        }
        return word.range
    }

    private func text(_ range: Range<Int>) throws(PlaintextError) -> String {
        var bytes: [UInt8] = []
        Self.unquote(view.bytes[range]) { bytes.append($0) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PlaintextError(view.lineNumber(at: range.lowerBound), "a name that is not UTF-8")
        }
        return text
    }

    /// A macro ends at an empty line.
    private mutating func skipMacro(_ word: Word) throws(PlaintextError) {
        _ = try value(of: word)
        let rest = view.lines.dropFirst(view.lineNumber(at: max(0, position - 1)))
        let blank = rest.first { $0.content.isEmpty }
        position = blank?.whole.upperBound ?? view.bytes.count
    }

    /// Inside the quotation marks, where there are any.
    private func written(_ word: Range<Int>) -> WrittenSecret {
        guard view[word.lowerBound] == UInt8(ascii: "\""), word.count >= 2 else {
            return WrittenSecret(word)
        }
        return WrittenSecret(word.lowerBound + 1..<word.upperBound - 1, .netrc)
    }

    private static func unquote(_ bytes: Slice<UnsafeRawBufferPointer>, _ emit: (UInt8) -> Void) {
        guard bytes.first == UInt8(ascii: "\""), bytes.count >= 2 else {
            return bytes.forEach(emit)
        }
        Backslash.unescape(bytes.dropFirst().dropLast(), emit) { emit($0) }
    }
}
