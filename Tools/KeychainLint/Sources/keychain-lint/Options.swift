import Foundation
import LintOutput

/// The command line.
struct Options {
    var format = Format.text
    var baseline: String?
    var newBaseline: String?
    var ignoresSuppressions = false
    var version = false
    var configuration: String?
    var isStrict = false
    var checklist: String?
    var explain: String?
    var fixes = false
    var showsNotes = false
    var runsCryptography = false
    var help = false
    var paths: [String] = []

    struct Problem: Error { let text: String }

    /// The path to read if the command line names none; the plugin sets it to its package.
    static var usualPath: String? {
        ProcessInfo.processInfo.environment["KEYCHAIN_LINT_PATH"]
    }

    init(_ arguments: [String]) throws(Problem) {
        var rest = arguments[...]
        var isOver = false
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), !isOver else {
                paths.append(argument)
                continue
            }
            switch argument {
            case "--": isOver = true
            case "--strict": isStrict = true
            case "--fix": fixes = true
            case "--notes": showsNotes = true
            case "--no-suppressions": ignoresSuppressions = true
            case "--help": help = true
            case "--version": version = true
            default: try read(argument, &rest)
            }
        }
        if paths.isEmpty, let path = Self.usualPath { paths = [path] }
        let isQuestion = help || version || explain != nil
        if paths.isEmpty, !isQuestion {
            throw Problem(text: "name a file or directory; see keychain-lint --help")
        }
        try Self.checkBaselines(baseline, newBaseline)
    }

    static func checkBaselines(_ known: String?, _ new: String?) throws(Problem) {
        guard known == nil || new == nil else {
            throw Problem(text: "name --baseline or --write-baseline, not both")
        }
    }

    /// Reads an option that has a value, as the next word or after `=`.
    private mutating func read(_ argument: String, _ rest: inout ArraySlice<String>) throws(Problem)
    {
        let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
        guard let name = parts.first, Self.names.contains(name) else {
            throw Problem(text: "unknown option \(argument); see keychain-lint --help")
        }
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst() else {
            throw Problem(text: "\(name) needs a value")
        }
        switch name {
        case "--format":
            guard let known = Format(rawValue: value) else {
                throw Problem(text: "--format is text, json, sarif or annotations")
            }
            format = known
        case "--baseline": baseline = value
        case "--write-baseline": newBaseline = value
        case "--config": configuration = value
        case "--checklist": checklist = value
        case "--explain": explain = value
        default:
            guard value == "crypto" else { throw Problem(text: "--pack is crypto") }
            runsCryptography = true
        }
    }

    private static let names = [
        "--format", "--baseline", "--write-baseline", "--config", "--checklist", "--explain",
        "--pack",
    ]

    static let helpText = """
        usage: keychain-lint [options] PATH…
               keychain-lint check-code [options] DIR   (lints, compiles and runs; see its --help)

        Finds mistakes in Swift code that uses the keychain. PATH is a file or a directory.

          --format FORMAT     write text, json, sarif or annotations [text]
          --notes             show notes in text and annotations, too
          --config FILE       read settings from a JSON file [.keychain-lint.json]
          --baseline FILE     leave out the findings in FILE
          --write-baseline FILE
                              write the findings to FILE, for --baseline, and report none
          --no-suppressions   report findings that comments suppress, too
          --strict            report an add without accessibility as an error
          --pack crypto       run the rules about cryptography, too
          --checklist NAME    report on access-control, migration, item-classes or overview
          --explain RULE      print why a rule exists, with a bad and a good example
          --fix               apply the safe fixes to the files
          --version           print the version
          --help              print this text

        The exit status is 1 if there is an error, 2 if the command line is wrong, and 0 otherwise.

        example: keychain-lint --format sarif Sources > findings.sarif

        """
}
