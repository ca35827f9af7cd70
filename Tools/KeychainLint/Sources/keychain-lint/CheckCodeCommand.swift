import CodeCheck
import Foundation
import LintAnalysis
import LintChecks
import LintModel

/// `keychain-lint check-code DIR`: lints, compiles, and replays the adds in the scenarios.
enum CheckCodeCommand {
    static let helpText = """
        usage: keychain-lint check-code [options] DIR

        Lints the code, compiles the part that uses the keychain, and replays what it adds on
        simulated devices in six scenarios: restart, lock, passcode removal, a second face, backup
        to another device, and background. It writes one verdict.

          --format text|json  write text or one JSON document [text]
          --package PATH      use the modules of this checkout of swift-keychain [the linter's own]
          --swift-version N   compile in this mode of the language [as Package.swift says, else 5]
          --help              print this text

        The exit status is 1 if there is an error, 2 if the command line is wrong, and 0 otherwise.

        example: keychain-lint check-code --format json Sources > verdict.json

        """

    struct Problem: Error { let text: String }

    /// Runs the command.
    ///
    /// - Returns: The exit status.
    static func run(_ arguments: [String]) -> Int32 {
        do {
            return try check(arguments)
        } catch let problem as Problem {
            tell(problem.text)
        } catch {
            tell("\(error)")
        }
        return 2
    }

    private static func check(_ arguments: [String]) throws -> Int32 {
        var options = CodeCheck.Options()
        var isJSON = false
        var directory: String?
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--help":
                write(helpText)
                return 0
            case "--format":
                guard let format = rest.popFirst(), ["text", "json"].contains(format) else {
                    throw Problem(text: "--format is text or json")
                }
                isJSON = format == "json"
            case "--package": options.package = try value(of: word, &rest)
            case "--swift-version": options.swiftVersion = try value(of: word, &rest)
            default:
                guard !word.hasPrefix("-") else {
                    throw Problem(text: "unknown option \(word); see check-code --help")
                }
                guard directory == nil else {
                    throw Problem(text: "name one directory only; see check-code --help")
                }
                directory = word
            }
        }
        guard let directory = directory ?? Options.usualPath else {
            throw Problem(text: "name a directory; see check-code --help")
        }
        let verdict = try verdict(directory, options)
        write(isJSON ? try verdict.json() : verdict.text)
        return verdict.exitStatus
    }

    private static func verdict(
        _ directory: String,
        _ options: CodeCheck.Options
    ) throws -> Verdict {
        var options = options
        tell("lint: reading \(directory)")
        let configuration = try configuration()
        let inputs = try ProjectFiles(paths: [directory], exclude: configuration.exclude ?? [])
        let project = Project(inputs, configuration: configuration)
        let linter = Linter(configuration: configuration)
        let findings = linter.findings(in: project)
        for problem in linter.commentProblems(in: project, findings) {
            tell("\(problem.place.file):\(problem.place.line): \(problem.message)")
        }
        options.swiftVersion = options.swiftVersion ?? languageMode(directory)
        return CodeCheck(project, findings, options).verdict(tell)
    }

    private static func configuration() throws -> Configuration {
        let usual = ".keychain-lint.json"
        guard FileManager.default.fileExists(atPath: usual) else { return Configuration() }
        return try Configuration.load(usual)
    }

    /// The mode that the tools version of the package implies; nil without a package.
    private static func languageMode(_ directory: String) -> String? {
        let manifest = URL(filePath: directory).appending(path: "Package.swift")
        guard let text = try? String(contentsOf: manifest, encoding: .utf8),
            let version = text.firstMatch(of: /swift-tools-version:\s*(\d+)/)
        else { return nil }
        return version.1 == "6" ? "6" : "5"
    }

    private static func value(
        of option: String,
        _ rest: inout ArraySlice<String>
    ) throws -> String {
        guard let value = rest.popFirst() else { throw Problem(text: "\(option) needs a value") }
        return value
    }

    private static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    private static func tell(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("keychain-lint: \(text)\n".utf8))
    }
}
