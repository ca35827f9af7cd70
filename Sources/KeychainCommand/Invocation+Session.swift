import KeychainModel

/// The options before the command, which are those of macOS's `security` itself.
///
/// - Source: security(1), "security [-hilqv] [-p prompt] [command]".
struct LeadingOptions {
    var session = CommandSession()
    /// The prompt of the session at a terminal.
    var prompt = "\(Invocation.programName)> "
    /// The command and its arguments.
    var words: ArraySlice<String>

    /// Reads the options.
    ///
    /// - Throws: `CommandFailure.usage` for an option that belongs after a command.
    init(_ words: [String]) throws(CommandFailure) {
        self.words = words[...]
        while let word = self.words.first, word.hasPrefix("-") {
            self.words.removeFirst()
            switch word {
            case "-h", "--help": self.words.insert("help", at: self.words.startIndex)
            case "--version": self.words.insert("version", at: self.words.startIndex)
            default: try take(word.dropFirst())
            }
        }
    }

    private mutating func take(_ letters: Substring) throws(CommandFailure) {
        guard !letters.isEmpty, letters.first != "-" else { throw Self.misplaced }
        var letters = letters
        while let letter = letters.popFirst() {
            switch letter {
            case "i": session.isInteractive = true
            case "q": session.isQuiet = true
            case "l", "v": break
            case "p":
                guard let text = letters.isEmpty ? words.popFirst() : String(letters) else {
                    throw .usage("option -p needs a value: -p prompt")
                }
                prompt = text
                session.isInteractive = true
                return
            default: throw Self.misplaced
            }
        }
    }

    private static let misplaced = CommandFailure.usage(
        "missing command: write it before the options"
    )
}

// Commands from standard input, one on each line.
extension Invocation {
    /// Runs every line until `exit`, `quit` or the end of input.
    ///
    /// A command that fails does not end the session.
    /// - Returns: The exit status of the last command that failed; 0 if none did.
    static func runSession(
        prompt: String,
        on terminal: any Terminal,
        _ run: ([String]) -> Int32
    ) -> Int32 {
        var status: Int32 = 0
        while let bytes = nextLine(prompt, on: terminal) {
            let words: [String]
            do throws(CommandFailure) { words = try CommandLineWords.split(bytes) } catch {
                try? Page(line: "\(programName): \(error.message)")
                    .write(to: terminal, .diagnostics)
                status = error.exitStatus
                continue
            }
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            if first == "exit" || first == "quit" { break }
            let result = run(words)
            if result != 0 { status = result }
        }
        return status
    }

    /// Reads one line without its line end; nil at the end of input.
    ///
    /// It reads byte by byte, to leave the following lines for the command.
    private static func nextLine(_ prompt: String, on terminal: any Terminal) -> [UInt8]? {
        if terminal.inputIsTerminal { try? terminal.write(Array(prompt.utf8), to: .diagnostics) }
        var line: [UInt8] = []
        var byte: [UInt8] = [0]
        while true {
            let count = byte.withUnsafeMutableBytes { target in
                (try? terminal.read(into: target)) ?? 0
            }
            guard count > 0 else { return line.isEmpty ? nil : line }
            if byte[0] == UInt8(ascii: "\n") { return line }
            line.append(byte[0])
        }
    }
}

/// The words of a line that contains one command.
enum CommandLineWords {
    /// Splits a line of bytes.
    ///
    /// - Throws: `CommandFailure.input` for an unclosed quotation mark, and for bytes that are not
    ///   UTF-8. Swift would repair such bytes, and the keychain would store another secret.
    static func split(_ line: [UInt8]) throws(CommandFailure) -> [String] {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw .input("the line is not UTF-8; nothing was done")
        }
        guard let words = split(text) else { throw .input("a quotation mark is not closed") }
        return words
    }

    /// Splits at blanks, with both kinds of quotation marks and backslashes as in a shell.
    ///
    /// A combining mark after a quotation mark or a blank does not change its meaning.
    ///
    /// - Returns: nil if a quotation mark is not closed.
    static func split(_ line: String) -> [String]? {
        var words: [String] = []
        var word: String.UnicodeScalarView?
        var quote: Unicode.Scalar?
        var rest = line.unicodeScalars[...]
        func append(_ scalar: Unicode.Scalar) {
            word = word ?? .init()
            word?.append(scalar)
        }
        while let next = rest.popFirst() {
            if next == "\\", quote != "'", let escaped = rest.popFirst() {
                append(escaped)
            } else if let open = quote {
                if next == open { quote = nil } else { append(next) }
            } else if next == "'" || next == "\"" {
                quote = next
                word = word ?? .init()
            } else if next == " " || next == "\t" || next == "\r" {
                if let done = word { words.append(String(done)) }
                word = nil
            } else {
                append(next)
            }
        }
        guard quote == nil else { return nil }
        return words + (word.map { [String($0)] } ?? [])
    }
}
