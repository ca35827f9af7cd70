/// A session of the command as a text file: prose, commands, and what they are to do.
///
///     # prose
///     $ keychainctl add-generic-password -a alice -s mail
///     stdin hunter2
///     exit 0
///
/// A line that ends in `…` is expected to go on somehow: that part is the engine's own wording.
/// `stdin` gives a line of a pipe, `types` a line of a person, `screen` makes standard output a
/// terminal; `stdout`, `stderr` and `exit` say what is expected: all of it, and 0 if left out.
/// Words of a command may stand in single quotes; `\xNN` in them is a byte.
/// A word `fixtures/…` names a file of that folder, `scratch/…` one in a folder of the session's
/// own; `file 600 scratch/…` says that the command leaves such a file with these permissions.
/// `given scratch/…` writes a line of a file, which is made anew for the command; `left scratch/…`
/// says a line of what such a file is to hold afterwards, all of it.
struct Transcript {
    struct Step {
        var line: Int
        var words: [String]
        var input = ""
        var typed: [String]?
        var isScreen = false
        var output = ""
        var diagnostics = ""
        var exitStatus: Int32 = 0
        var files: [(permissions: String, path: String)] = []
        var given: [String: String] = [:]
        var left: [String: String] = [:]
    }

    /// Whether output is what was expected, line for line.
    static func matches(_ actual: String, _ expected: String) -> Bool {
        let actual = actual.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = expected.split(separator: "\n", omittingEmptySubsequences: false)
        guard actual.count == expected.count else { return false }
        return zip(actual, expected).allSatisfy { line, pattern in
            pattern.hasSuffix("…") ? line.hasPrefix(pattern.dropLast()) : line == pattern
        }
    }

    struct Malformed: Error, Equatable { let line: Int }

    private(set) var steps: [Step] = []

    init(_ text: String) throws(Malformed) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard try take(String(line), number: index + 1) else {
                throw Malformed(line: index + 1)
            }
        }
    }

    private mutating func take(_ line: String, number: Int) throws(Malformed) -> Bool {
        if line.isEmpty || line.hasPrefix("#") { return true }
        let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let rest = parts.count == 2 ? String(parts[1]) : ""
        if parts[0] == "$" {
            guard let words = Self.words(rest), !words.isEmpty else { return false }
            steps.append(Step(line: number, words: words))
            return true
        }
        guard var step = steps.popLast(), Self.take(String(parts[0]), rest, into: &step) else {
            return false
        }
        steps.append(step)
        return true
    }

    private static func take(_ word: String, _ rest: String, into step: inout Step) -> Bool {
        switch word {
        case "stdin": step.input += rest + "\n"
        case "types": step.typed = (step.typed ?? []) + [rest]
        case "screen": step.isScreen = true
        case "stdout": step.output += rest + "\n"
        case "stderr": step.diagnostics += rest + "\n"
        case "file":
            let parts = rest.split(separator: " ")
            guard parts.count == 2 else { return false }
            step.files.append((String(parts[0]), String(parts[1])))
        case "given", "left":
            let parts = rest.split(separator: " ", maxSplits: 1)
            guard let path = parts.first.map(String.init) else { return false }
            let line = parts.count == 2 ? parts[1] + "\n" : ""
            if word == "given" { step.given[path, default: ""] += line }
            if word == "left" { step.left[path, default: ""] += line }
        case "exit":
            guard let status = Int32(rest) else { return false }
            step.exitStatus = status
        default: return false
        }
        return true
    }

    /// Splits at spaces outside of quotes; nil for an open quote.
    static func words(_ line: String) -> [String]? {
        let pieces = line.split(separator: "'", omittingEmptySubsequences: false)
        guard pieces.count % 2 == 1 else { return nil }
        var words: [String] = []
        for (index, piece) in pieces.enumerated() {
            if index % 2 == 1 {
                words.append(unescaped(String(piece)))
            } else {
                words += piece.split(separator: " ").map(String.init)
            }
        }
        return words
    }

    private static func unescaped(_ text: String) -> String {
        let parts = text.split(separator: "\\x", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { done, part in
            let scalar = UInt8(part.prefix(2), radix: 16).map { Character(UnicodeScalar($0)) }
            return done + (scalar.map(String.init) ?? "?") + part.dropFirst(2)
        }
    }
}
