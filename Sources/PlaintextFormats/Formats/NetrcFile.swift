import Secrets

/// `~/.netrc`: words, of which `machine`, `login` and `password` describe an account.
///
/// A value may be in double quotes with backslashes, as curl writes it. An account with a macro or
/// with unknown words stays, because without it they would belong to the account before.
/// - Source: netrc(5); curl, `--netrc`; ftp(1), "macdef" of the machine before it.
struct NetrcFile {
    /// An account during parsing.
    private struct Account {
        /// The machine; nil for `default`.
        var machine: String?
        var login: String?
        var password: Range<Int>?
        var words: [Range<Int>]
        private(set) var hindrance: String?

        mutating func stays(because reason: String) { hindrance = hindrance ?? reason }
    }

    static func findings(_ view: ByteView) -> PlaintextFindings {
        var file = NetrcFile(view)
        file.read()
        return file.findings
    }

    private let view: ByteView
    private var position: Int
    private var account: Account?
    /// Whether there was a `default`, which curl and ftp use for every machine, even for later
    /// ones.
    private var hasDefault = false
    private var findings = PlaintextFindings()

    private init(_ view: ByteView) {
        self.view = view
        position = view.start
    }

    private mutating func read() {
        while let word = nextWord() {
            switch String(decoding: view.bytes[word], as: UTF8.self) {
            case "machine": open(word)
            case "default":
                close()
                hasDefault = true
                account = Account(machine: nil, words: [word])
                account?.stays(because: "it is for every machine")
            case "login":
                guard let name = value(of: word) else { continue }
                if account?.login != nil { account?.stays(because: "it has two logins") }
                let login = text(name)
                account?.login = login
                if login == nil { account?.stays(because: Self.notText) }
            case "password":
                guard let range = value(of: word) else { continue }
                if account?.password != nil { account?.stays(because: "it has two passwords") }
                account?.password = range
            case "account":
                guard value(of: word) != nil else { continue }
                account?.stays(because: "it has an account password as well")
            case "macdef":
                account?.stays(because: "a macro belongs to it")
                close()
                skipMacro()
            default: unknown(word, "line \(line(word)) has a word that is not understood")
            }
        }
        close()
    }

    private static let notText = "a name that is not UTF-8"

    private mutating func open(_ word: Range<Int>) {
        close()
        guard let name = nextWord(readsComments: true) else {
            return findings.note(line(word), "the file ends after a keyword")
        }
        guard findings.oddities.last?.line != line(name) else { return }
        guard let machine = text(name) else { return findings.note(line(name), Self.notText) }
        account = Account(machine: machine, words: [word, name])
        if hasDefault { account?.stays(because: "it is behind default") }
        if view[name.lowerBound] == UInt8(ascii: "#") { account?.stays(because: Self.comment) }
    }

    /// Returns the word after a keyword.
    ///
    /// Both become part of the account.
    private mutating func value(of keyword: Range<Int>) -> Range<Int>? {
        guard account != nil else {
            unknown(keyword, "")
            return nil
        }
        guard let word = nextWord(readsComments: true) else {
            unknown(keyword, "the file ends after a keyword")
            return nil
        }
        if view[word.lowerBound] == UInt8(ascii: "#") { account?.stays(because: Self.comment) }
        account?.words += [keyword, word]
        return word
    }

    /// The reason for a word that curl reads as a comment, and Python as a value.
    private static let comment = "it has a word that may be a value or a comment"

    /// Records an unknown word, which stays in the file together with its account.
    private mutating func unknown(_ word: Range<Int>, _ reason: String) {
        guard account == nil else { account?.stays(because: reason); return }
        let line = line(word)
        guard findings.oddities.last?.line != line else { return }
        findings.note(line, "a word that belongs to no machine")
    }

    /// Ends the account, which is an entry if it has a password.
    private mutating func close() {
        defer { account = nil }
        guard let account else { return }
        let line = line(account.words[0])
        guard let password = account.password else {
            if let reason = account.hindrance { findings.note(line, reason) }
            return
        }
        let place = ServerPlace(server: account.machine ?? "default", account: account.login ?? "")
        let written = written(password)
        let secret = view.secret(written.range, written.encoding) ?? view.secret(password)
        findings.entries.append(
            PlaintextEntry(
                .server(place),
                line: line,
                removal: removal(of: account.words),
                secret: secret,
                written: [written],
                hindrance: account.hindrance ?? (secret.isEmpty ? "its password is empty" : nil)
            )
        )
    }

    /// Returns the ranges to remove: whole lines if possible, otherwise the words and following
    /// blanks.
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

    private func line(_ word: Range<Int>) -> Int { view.lineNumber(at: word.lowerBound) }
}

// Splitting into words.
extension NetrcFile {
    private func isSpace(_ byte: UInt8) -> Bool { view.isBlank(byte) || byte == ByteView.newline }

    /// Returns the next word outside of comments.
    private mutating func nextWord(readsComments: Bool = false) -> Range<Int>? {
        while true {
            while position < view.bytes.count, isSpace(view[position]) { position += 1 }
            guard position < view.bytes.count else { return nil }
            let start = position
            let line = view.lines[view.lineNumber(at: start) - 1]
            let isComment = view[start] == UInt8(ascii: "#")
            let isFirst = view.trimmed(line.content).lowerBound == start
            if isComment, isFirst || !readsComments {
                position = line.whole.upperBound
                continue
            }
            guard view[start] == UInt8(ascii: "\"") else {
                while position < view.bytes.count, !isSpace(view[position]) { position += 1 }
                return start..<position
            }
            if let end = closingQuote(from: start, in: line) {
                position = end + 1
            } else {
                position = max(start + 1, line.content.upperBound)
                if account == nil { findings.note(line.number, Self.openQuote) }
                account?.stays(because: Self.openQuote)
            }
            return start..<position
        }
    }

    private static let openQuote = "a quotation mark that is never closed"

    private func closingQuote(from start: Int, in line: ByteView.Line) -> Int? {
        var index = start + 1
        while index < line.content.upperBound {
            if view[index] == UInt8(ascii: "\"") { return index }
            index += view[index] == SecretEncoding.backslash ? 2 : 1
        }
        return nil
    }

    private func text(_ word: Range<Int>) -> String? {
        let written = written(word)
        return try? view.text(written.range, written.encoding)
    }

    /// Skips a macro, which ends at an empty line.
    private mutating func skipMacro() {
        guard nextWord() != nil else { return }
        let rest = view.lines.dropFirst(view.lineNumber(at: max(0, position - 1)))
        let blank = rest.first { $0.content.isEmpty }
        position = blank?.whole.upperBound ?? view.bytes.count
    }

    /// Returns the word without its quotation marks.
    private func written(_ word: Range<Int>) -> WrittenSecret {
        guard view[word.lowerBound] == UInt8(ascii: "\""), word.count >= 2 else {
            return WrittenSecret(word)
        }
        return WrittenSecret(word.lowerBound + 1..<word.upperBound - 1, .netrc)
    }
}
