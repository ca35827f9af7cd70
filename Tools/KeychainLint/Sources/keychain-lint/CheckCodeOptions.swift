import CodeCheck
import Foundation

/// The command line of `check-code`.
struct CheckCodeOptions {
    enum Format: String { case text, json, sarif }

    var check = CodeCheck.Options()
    var format = Format.text
    var configuration: String?
    var baseline: String?
    var newBaseline: String?
    var ignoresSuppressions = false
    var runsCryptography = false
    var help = false
    private(set) var directory = ""

    init(_ arguments: [String]) throws(Options.Problem) {
        var directories: [String] = []
        var rest = arguments[...]
        var isOver = false
        while let word = rest.popFirst() {
            switch word {
            case "--" where !isOver: isOver = true
            case "--help" where !isOver: help = true
            case "--no-suppressions" where !isOver: ignoresSuppressions = true
            case _ where word.hasPrefix("-") && !isOver: try read(word, &rest)
            default: directories.append(word)
            }
        }
        guard !help else { return }
        try Options.checkBaselines(baseline, newBaseline)
        guard directories.count <= 1 else {
            throw Options.Problem(text: "name one directory only; see check-code --help")
        }
        guard let named = directories.first ?? Options.usualPath else {
            throw Options.Problem(text: "name a directory; see check-code --help")
        }
        directory = named
    }

    /// Reads an option that has a value, as the next word or after `=`.
    private mutating func read(
        _ word: String,
        _ rest: inout ArraySlice<String>
    ) throws(Options.Problem) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        let name = parts.first ?? word
        guard Self.names.contains(name) else {
            throw Options.Problem(text: "unknown option \(word); see check-code --help")
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw Options.Problem(text: "\(name) needs a value")
        }
        switch name {
        case "--format":
            guard let known = Format(rawValue: value) else {
                throw Options.Problem(text: "--format is text, json or sarif")
            }
            format = known
        case "--config": configuration = value
        case "--baseline": baseline = value
        case "--write-baseline": newBaseline = value
        case "--pack":
            guard value == "crypto" else { throw Options.Problem(text: "--pack is crypto") }
            runsCryptography = true
        case "--package": check.package = value
        case "--swift-version": check.swiftVersion = value
        case "--compile-seconds": check.compileSeconds = try Self.seconds(value, name)
        default: check.scenarioSeconds = try Self.seconds(value, name)
        }
    }

    private static let names = [
        "--format", "--config", "--baseline", "--write-baseline", "--pack", "--package",
        "--swift-version", "--compile-seconds", "--scenario-seconds",
    ]

    private static func seconds(_ text: String, _ name: String) throws(Options.Problem) -> Int {
        guard let seconds = Int(text), (1...86_400).contains(seconds) else {
            throw Options.Problem(text: "\(name) is a number of seconds, 1 to 86400")
        }
        return seconds
    }

    static let helpText = """
        usage: keychain-lint check-code [options] DIR

        Lints the code, compiles the part that uses the keychain, and replays what it adds on
        simulated devices in six scenarios: restart, lock, passcode removal, a second face, backup
        to another device, and background. It writes one verdict.

          --format FORMAT       write text, json or sarif [text]
          --config FILE         read settings from a JSON file [.keychain-lint.json]
          --baseline FILE       leave out the linter's findings in FILE
          --write-baseline FILE write the linter's findings to FILE, for --baseline; no more
          --no-suppressions     report findings that comments suppress, too
          --pack crypto         run the rules about cryptography, too
          --package PATH        use this checkout of swift-keychain [the linter's own]
          --swift-version N     compile in this mode of the language [as Package.swift says, else 5]
          --compile-seconds N   stop the compiler after this time [120]
          --scenario-seconds N  stop a scenario after this time [20]
          --help                print this text

        The exit status is 1 if there is an error, 2 if the command line is wrong, and 0 otherwise.

        example: keychain-lint check-code --format json Sources > verdict.json

        """
}
