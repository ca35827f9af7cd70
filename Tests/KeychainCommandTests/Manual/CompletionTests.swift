import Foundation
import TestSupport
import Testing

@testable import KeychainCommand

@Suite struct `The completions of shells` {
    @Test(arguments: Completion.all.map(\.path))
    func `name every command and every option`(path: String) throws {
        let text = try #require(Completion.all.first { $0.path == path }).text
        let words = Set(text.split { " \n'()[]=+:{}\"".contains($0) }.map(String.init))
        let isFish = path.hasPrefix("fish")
        let spellings = CommandTable.rows.flatMap(\.options).flatMap(\.spellings).map { spelling in
            isFish ? String(spelling.drop { $0 == "-" }) : spelling
        }
        let names = CommandTable.rows.map(\.name) + spellings
        #expect(names.filter { !words.contains($0) } == [])
    }

    @Test func `know the options of the commands that they have words for`() {
        let dead = ChoiceTable.rows.filter { row in
            !CommandTable.rows.contains { command in
                (row.command ?? command.name) == command.name
                    && command.options.contains { $0.name == row.option }
            }
        }
        #expect(dead.map(\.option) == [])
    }

    /// What a line completes to in bash, of which the last word is not finished.
    private static func completed(_ line: String) throws -> [String] {
        let completion = try #require(Completion.all.first { $0.path.hasPrefix("bash") })
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        let script = """
            \(completion.text)
            COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " ")))
            COMP_CWORD=\(words.count - 1)
            _keychainctl
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        return try Shell.bash(script).split(separator: "\n").map(String.init).sorted()
    }

    @Test(
        .enabled(if: Workshop.isInstalled("bash"), "bash is not installed"),
        arguments: [
            ("keychainctl find-g", ["find-generic-password"]),
            ("keychainctl delete-int", ["delete-internet-password"]),
            ("keychainctl status --j", ["--json"]),
            ("keychainctl find-generic-password --acce", ["--access-group", "--accessible"]),
            ("keychainctl add-generic-password --accessible WhenP", passcodeClass),
            ("keychainctl add-generic-password --accessible = WhenP", passcodeClass),
            ("keychainctl add-generic-password --require devicePasscode,bio", biometries),
            ("keychainctl add-generic-password -s -", []),
            ("keychainctl import -f pk", ["pkcs12", "pkcs8"]),
            ("keychainctl import -t pkcs", []),
            ("keychainctl import /proc/self/mountin", ["/proc/self/mountinfo"]),
            ("keychainctl passcode se", ["seal", "set"]),
            ("keychainctl file sta", ["status"]),
            ("keychainctl ssh gen", ["generate"]),
            ("keychainctl file status /proc/self/mountin", ["/proc/self/mountinfo"]),
            ("keychainctl help stat", ["status"]),
            ("keychainctl status st", []),
            ("keychainctl -q find-g", ["find-generic-password"]),
            ("keychainctl -q -l status --j", ["--json"]),
        ] as [(String, [String])]
    )
    func `complete in bash`(line: String, words: [String]) throws {
        #expect(try Self.completed(line) == words)
    }

    private static let passcodeClass = ["WhenPasscodeSetThisDeviceOnly"]
    private static let biometries = [
        "devicePasscode,biometryAny", "devicePasscode,biometryCurrentSet",
    ]
}

/// Programs that tests run as a user would.
enum Shell {
    /// What a script writes to standard output.
    static func bash(_ script: String) throws -> String {
        try TestProgram(["/bin/bash", "--norc", "-c", script]).run(joinsErrors: false).output
    }
}
