import Foundation
import Glibc
import TestSupport
import Testing

@testable import KeychainCommand

// Code, programs and buses that the account names, for programs that have rights it lacks.

/// A command line of a protected program.
private struct Line: Sendable, CustomTestStringConvertible {
    let words: [String]
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String...) { self.words = words }
    init(words: [String]) { self.words = words }
}

/// What an option that takes a value gets: code of the account, as a file, a program or a place.
private enum HostileValues {
    /// Stands for the file with code; replaced when the stage is there.
    static let code = "CODE"
    static let script = "SCRIPT"

    /// The values of options that only take certain words.
    private static let words: [CommandOption.Name: [String]] = [
        .unlockWith: ["tpm:" + code, "file:" + code, "credential:code.so", "fd:0"],
        .from: ["secret-service", "env", "netrc"],
        .editor: [script],
        .relay: [code, "https://localhost:1/", "postgresql://localhost:1/x"],
    ]

    static func values(of option: CommandOption) -> [String] {
        switch option.value {
        case .none: []
        case .required, .optional: words[option.name] ?? [code]
        }
    }
}

/// Every option of every command that takes a value; none can be forgotten, because they come from
/// the table that the parser reads.
private let optionLines: [Line] = CommandTable.rows.flatMap { command in
    let base = command.name.split(separator: " ").map(String.init)
    let lines = command.options.flatMap { option in
        HostileValues.values(of: option).map { value in
            Line(words: ["keychainctl"] + base + [option.spellings[0], value])
        }
    }
    let operands = Line(words: ["keychainctl"] + base + [HostileValues.code, HostileValues.script])
    return lines + [operands, Line(words: ["keychainctl"] + base)]
}

/// The other protected programs, with each of their options.
private let programLines: [Line] = [
    Line("keychainctl", "unlock-keychain", "--unlock-with", "tpm:CODE"),
    Line("keychainctl", "passcode", "seal", "--unlock-with", "tpm:CODE"),
    Line("keychainctl", "daemon", "adopt"), Line("keychainctl", "status"),
    Line("keychainctl", "edit", "-s", "x", "--editor", "SCRIPT"),
    Line("keychainctl", "env", "--", "SCRIPT"), Line("keychainctl", "doctor"),
    Line("keychain-migrate", "--from", "secret-service"), Line("keychain-migrate", "CODE"),
    Line("keychain-agent"), Line("keychain-agent", "--socket", "CODE"),
    Line("keychain-pam", "unlock"), Line("keychain-pam", "change"),
    Line("keychain-ssh-agent", "-D"), Line("keychain-ssh-agent", "-a", "OWN/agent", "SCRIPT"),
    Line("keychain-ssh-agent", "SCRIPT"), Line("keychain-sync", "status"),
    Line("keychain-sync", "run", "--relay", "CODE"), Line("keychain-sync"),
]

extension `An attack on the system daemon` {
    @Suite struct `by what a program loads` {
        private let stage: LoadingStage

        init() throws { stage = try LoadingStage.current() }

        private func words(_ line: Line) -> [String] {
            line.words.map {
                $0.replacing("CODE", with: stage.code).replacing("SCRIPT", with: stage.script)
                    .replacing("OWN", with: stage.own)
            }
        }

        /// Runs a line, and requires that the program had rights and the account got none of them.
        private func attempt(_ line: Line, _ variables: [String: String]) throws {
            let process = try stage.start(words(line), variables, seconds: 20)
            process.closeInput()
            var lines: [String] = []
            var serves = false
            while !serves, let next = try process.line() {
                lines.append(next)
                serves = next.hasPrefix("SSH_AUTH_SOCK=")
            }
            // The agent would stay until its time is over.
            lines += try process.end(with: serves ? SIGKILL : nil)
            let program = stage.program(line.words[0])
            #expect(lines.contains("start raised \(program)"), "\(line.words): \(lines)")
            #expect(stage.breaches(lines) == [], "\(line.words): \(lines)")
        }

        @Test(.requirement("HRD-01", "HRD-02"), arguments: programLines)
        fileprivate func `gets no code and no program in, with every variable at once`(
            line: Line
        ) throws {
            try attempt(line, stage.variables)
        }

        @Test(.requirement("HRD-01"), arguments: optionLines)
        fileprivate func `gets none in by an option of the command`(line: Line) throws {
            var variables = stage.variables
            // These fail early, and would hide what comes later.
            for name in [
                "KEYCHAIN_ENTITLEMENTS", "KEYCHAIN_UNLOCK_WITH", "KEYCHAIN_SECURE_ELEMENT",
            ] {
                variables[name] = nil
            }
            try attempt(line, variables)
        }

        @Test(.requirement("HRD-02"), arguments: [nil, "swtpm:path=/nonexistent"])
        func `names no TPM in the place of root's`(roots: String?) throws {
            try stage.set("tpm", to: roots)
            defer { try? stage.set("tpm", to: nil) }
            var variables = stage.variables
            variables["KEYCHAIN_UNLOCK_WITH"] = nil
            variables["KEYCHAIN_SECURE_ELEMENT"] = nil
            let unlock = ["keychainctl", "unlock-keychain", "--unlock-with"]
            let named = try stage.trace(unlock + ["tpm:" + stage.code], variables)
            #expect(named.contains { $0.contains("root chooses the TPM") }, "\(named)")
            let place = roots ?? "device:/dev/tpmrm0"
            let other = try stage.trace(unlock + ["tpm"], variables)
            #expect(other.contains("start plain \(stage.program("keychain-tpm"))"), "\(other)")
            #expect(other.contains { $0.contains("the TPM at \(place)") }, "\(other)")
            #expect(stage.breaches(named + other) == [])
        }

        /// glibc takes these variables from a protected program; they are the person's.
        @Test(.requirement("HRD-01"), arguments: ["env", "edit", "ssh-agent"])
        func `gives its own programs every variable that it was given, and no right`(
            command: String
        ) throws {
            try stage.keepSecret()
            let note = stage.own + "/given"
            let script = stage.own + "/given.sh"
            let lines = """
                #!/bin/sh
                { tr '\\0' '\\n' </proc/self/environ; grep -E '^(Gid|Groups)' /proc/self/status
                ls -l /proc/self/fd; } >\(note)
                """
            try lines.write(toFile: script, atomically: false, encoding: .utf8)
            try prepare("rm -f \(note) && chmod 755 \(script)")
            var variables = [
                "PATH": "/usr/bin:/bin", "HOME": stage.own, "EMPTY": "", "ODD": "a=b\tc",
                "EDITOR": script,
            ]
            let names = [
                "LD_LIBRARY_PATH", "TMPDIR", "LOCPATH", "GCONV_PATH", "TZDIR", "NLSPATH",
            ]
            // The account's own directory has a library of C that keeps every program from running.
            let place = stage.own + "/place"
            try prepare("install -d -m 700 -o \(stage.account) -g \(stage.account) \(place)")
            for name in names { variables[name] = place }
            let words: [String]
            switch command {
            case "env": words = ["keychainctl", "env", "plain", "--", script]
            case "edit": words = ["keychainctl", "edit", "-s", "plain", "-a", "PLAIN", "--editor"]
            default: words = ["keychain-ssh-agent", script]
            }
            let seen = try stage.launch(words, variables).end()
            let text = try? String(contentsOfFile: note, encoding: .utf8)
            let found = (text ?? "").split(separator: "\n").map(String.init)
            for (name, value) in variables {
                #expect(found.contains("\(name)=\(value)"), "\(found), \(seen)")
            }
            if command == "env" { #expect(found.contains("PLAIN=open")) }
            let groups = found.first { $0.hasPrefix("Gid") }?.split(separator: "\t").dropFirst()
            #expect(groups?.count == 4)
            #expect(groups?.allSatisfy { $0 == "\(stage.account)" } == true)
            #expect(!found.contains { $0.contains("socket:") }, "\(found)")
        }
    }
}
