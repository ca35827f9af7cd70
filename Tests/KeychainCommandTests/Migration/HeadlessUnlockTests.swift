import Foundation
import Glibc
import KeychainHost
import TestSupport
import Testing

/// A keychain with a passcode on a machine that was just started, for the built command.
struct HeadlessMachine {
    let workshop: Workshop
    private static let passcode = "correct horse battery staple"

    /// A copy of the keychain of `WithTemplate`, on a machine of its own.
    init() throws {
        let template = try #require(WithTemplate.template)
        workshop = try Workshop()
        let keychain = workshop.scratch.path + "/keychain"
        try FileManager.default.copyItem(
            atPath: template.scratch.path + "/keychain",
            toPath: keychain
        )
        try restart()
    }

    /// Makes the keychain once, for all tests of a suite: stretching a passcode takes its time.
    struct WithTemplate: SuiteTrait, TestScoping {
        @TaskLocal fileprivate static var template: Workshop?

        func provideScope(
            for test: Test,
            testCase: Test.Case?,
            performing function: @Sendable () async throws -> Void
        ) async throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let passcode = HeadlessMachine.passcode + "\n"
            let set = try workshop.run("keychainctl", "passcode", "set", input: passcode)
            try #require(set.status == 0, "\(set.output)")
            let item = ["-s", "mail", "-a", "ada"]
            let add = try workshop.run(
                ["keychainctl", "add-generic-password"] + item,
                input: "hunter2"
            )
            try #require(add.status == 0, "\(add.output)")
            let lock = try workshop.run("keychainctl", "lock-keychain")
            try #require(lock.status == 0, "\(lock.output)")
            let epoch = workshop.scratch.path + "/keychain/lock-epoch"
            try FileManager.default.removeItem(atPath: epoch)
            try await Self.$template.withValue(workshop) { try await function() }
        }
    }

    /// Takes the session images away, which a restart of the machine does.
    func restart() throws {
        let bag = try Data(contentsOf: URL(filePath: workshop.scratch.path + "/keychain/keybag"))
        let name = bag[12..<20].map { String(format: "%02x", $0) }.joined()
        for place in ["/run/user/\(geteuid())", "/dev/shm", workshop.scratch.path] {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for file in files where file.hasPrefix("keychain-\(name)-") {
                try FileManager.default.removeItem(atPath: place + "/" + file)
            }
        }
    }

    /// A file with the passcode, for nobody else.
    func passcodeFile(_ text: String = passcode + "\n", mode: Int = 0o600) throws -> String {
        let path = workshop.scratch.path + "/passcode"
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    static let find = ["keychainctl", "find-generic-password", "-s", "mail", "-a", "ada", "-w"]

    /// What the command finds in a fresh process with these variables.
    func find(_ variables: String...) throws -> (status: Int32, output: String) {
        try run(variables + Self.find)
    }

    func run(_ words: [String]) throws -> (status: Int32, output: String) {
        try workshop.run(words, input: "")
    }

    func end() {
        try? restart()
        workshop.scratch.remove()
    }
}

private let variable = "KEYCHAIN_UNLOCK_WITH"

extension Programs {
    @Suite(HeadlessMachine.WithTemplate()) struct `A machine without people` {
        private func withMachine(_ body: (HeadlessMachine) throws -> Void) throws {
            let machine = try HeadlessMachine()
            defer { machine.end() }
            try body(machine)
        }

        @Test(.requirement("OPS-03"))
        func `without a source is locked, and the message names the options`() throws {
            try withMachine { machine in
                let (status, output) = try machine.find()
                #expect(status == Int32(truncatingIfNeeded: -25308) & 0xFF)
                #expect(output.contains("-25308"))
                #expect(output.contains("--unlock-with") && output.contains(variable))
                #expect(!output.contains("hunter2"))
            }
        }

        @Test(.requirement("OPS-03"))
        func `unlocks from a file for each fresh process`() throws {
            try withMachine { machine in
                let source = "file:" + (try machine.passcodeFile())
                #expect(try machine.find("\(variable)=\(source)").output == "hunter2\n")
                // The session is there now, for processes without a source too.
                #expect(try machine.find().output == "hunter2\n")
                try machine.restart()
                #expect(try machine.find().status != 0)
                let words = ["keychainctl", "unlock-keychain", "--unlock-with", source]
                #expect(try machine.run(words).status == 0)
                #expect(try machine.find().output == "hunter2\n")
            }
        }

        @Test(.requirement("OPS-03", "SIM-09"))
        func `unlocks from a file for programs that start at the same time`() throws {
            try withMachine { machine in
                let source = "\(variable)=file:" + (try machine.passcodeFile())
                let programs = try (0..<8).map { _ in
                    try machine.workshop.start([source] + HeadlessMachine.find)
                }
                for program in programs {
                    #expect(try program.wait().output == "hunter2\n")
                }
            }
        }

        @Test(.requirement("OPS-03"))
        func `unlocks from a file descriptor`() throws {
            try withMachine { machine in
                let file = try machine.passcodeFile()
                let find = HeadlessMachine.find.joined(separator: " ")
                let script = "\(variable)=fd:3 exec \(find) 3< \(file)"
                #expect(try machine.run(["sh", "-c", script]).output == "hunter2\n")
                try machine.restart()
                let unlock = "exec keychainctl unlock-keychain --unlock-with fd:9 9< \(file)"
                #expect(try machine.run(["sh", "-c", unlock]).status == 0)
                #expect(try machine.find().output == "hunter2\n")
            }
        }

        @Test(.requirement("OPS-03"))
        func `unlocks from a credential of systemd`() throws {
            try withMachine { machine in
                let file = try machine.passcodeFile(mode: 0o440)
                let directory = "CREDENTIALS_DIRECTORY=" + machine.workshop.scratch.path
                let source = "\(variable)=credential:passcode"
                #expect(try machine.find(directory, source).output == "hunter2\n")
                try machine.restart()
                let without = try machine.find("CREDENTIALS_DIRECTORY=", source)
                #expect(without.status != 0 && without.output.contains("LoadCredential"))
                let unlock = [
                    "keychainctl", "unlock-keychain", "--unlock-with", "credential:passcode",
                ]
                #expect(try machine.run([directory] + unlock).status == 0)
                #expect(try machine.find().output == "hunter2\n")
                try FileManager.default.removeItem(atPath: file)
            }
        }

        @Test(.requirement("OPS-03"))
        func `stays locked after a lock on purpose, until it is told to unlock`() throws {
            try withMachine { machine in
                let source = "file:" + (try machine.passcodeFile())
                #expect(try machine.find("\(variable)=\(source)").status == 0)
                #expect(try machine.run(["keychainctl", "lock-keychain"]).status == 0)
                #expect(try machine.find("\(variable)=\(source)").status != 0)
                // As at the last logout, where the session image goes and the lock does not.
                try machine.restart()
                #expect(try machine.find("\(variable)=\(source)").status != 0)
                let words = ["keychainctl", "unlock-keychain", "--unlock-with", source]
                #expect(try machine.run(words).status == 0)
                #expect(try machine.find().output == "hunter2\n")
                try machine.restart()
                #expect(try machine.find("\(variable)=\(source)").output == "hunter2\n")
            }
        }

        @Test(.requirement("OPS-03"))
        func `unlocks with the variable's source when told to, after a lock too`() throws {
            try withMachine { machine in
                let source = "file:" + (try machine.passcodeFile())
                let unlock = ["\(variable)=\(source)", "keychainctl", "unlock-keychain"]
                // Opening the keychain unlocks it already: there is nothing left to do.
                #expect(try machine.run(unlock).status == 0)
                #expect(try machine.run(["keychainctl", "lock-keychain"]).status == 0)
                let unlocked = try machine.run(unlock)
                #expect(unlocked.status == 0, "\(unlocked.output)")
                #expect(try machine.find().output == "hunter2\n")
            }
        }

        @Test(.requirement("OPS-03"))
        func `reports a bad source after a lock, before and when it is used`() throws {
            try withMachine { machine in
                let source = "file:" + (try machine.passcodeFile())
                #expect(try machine.find("\(variable)=\(source)").status == 0)
                #expect(try machine.run(["keychainctl", "lock-keychain"]).status == 0)
                let bad = "\(variable)=tea-for-two"
                let found = try machine.find(bad)
                #expect(found.output.contains("\(variable): invalid source"), "\(found.output)")
                let unlock = try machine.run([bad, "keychainctl", "unlock-keychain"])
                #expect(unlock.status == Int32(truncatingIfNeeded: -50) & 0xFF)
                #expect(unlock.output.contains("unset the variable to type the passcode"))
                #expect(!(found.output + unlock.output).contains("tea-for-two"))
            }
        }

        @Test(.requirement("OPS-03"))
        func `counts a wrong passcode once in a process, and stays locked`() throws {
            try withMachine { machine in
                let source = "file:" + (try machine.passcodeFile("tea-for-two\n"))
                let found = try machine.find("\(variable)=\(source)")
                #expect(found.output.contains("-25308"))
                #expect(found.output.contains("\(variable) did not unlock it"))
                #expect(!found.output.contains("tea-for-two") && !found.output.contains("hunter2"))
                let words = ["keychainctl", "unlock-keychain", "--unlock-with", source]
                #expect(try machine.run(words).output.contains("-25293"))
            }
        }

        @Test(.requirement("OPS-03"))
        func `leaves the other guesses to people after three wrong passcodes`() throws {
            try withMachine { machine in
                let wrong = "file:" + (try machine.passcodeFile("tea-for-two\n"))
                for _ in 1...3 {
                    let output = try machine.find("\(variable)=\(wrong)").output
                    #expect(output.contains("-25293"), "\(output)")
                }
                let right = "file:" + (try machine.passcodeFile())
                let fourth = try machine.find("\(variable)=\(right)")
                #expect(fourth.status != 0)
                #expect(fourth.output.contains("the last 3 passcodes were wrong"))
                let words = ["keychainctl", "unlock-keychain", "--unlock-with", right]
                #expect(try machine.run(words).status == 0)
                #expect(try machine.find().output == "hunter2\n")
                try machine.restart()
                #expect(try machine.find("\(variable)=\(right)").output == "hunter2\n")
            }
        }

        @Test(arguments: 3..<16)
        func `takes no file of its own for the passcode`(descriptor: Int) throws {
            try withMachine { machine in
                let unlock = [
                    "keychainctl", "unlock-keychain", "--unlock-with", "fd:\(descriptor)",
                ]
                let (status, output) = try machine.run(unlock)
                #expect(status != 0)
                #expect(!output.contains("attempt"), "\(output)")
            }
        }

        /// ★ Sources that are refused, and what the message says.
        private static let refused = [
            ("file:/nowhere/passcode", 0o600, "/nowhere/passcode"),
            ("file:PASSCODE", 0o604, "chmod 600"), ("file:PASSCODE", 0o620, "chmod 600"),
            ("file:/dev/null", 0o600, "not a regular file"),
            ("fd:99", 0o600, "file descriptor 99 is not open"), ("fd:-1", 0o600, "fd:NUMBER"),
            ("fd:", 0o600, "fd:NUMBER"), ("", 0o600, "fd:NUMBER"),
            ("credential:../passcode", 0o600, "fd:NUMBER"), ("hunter2", 0o600, "fd:NUMBER"),
            ("tpm:nowhere", 0o600, "no passcode is sealed"),
        ]

        @Test(.requirement("OPS-03"), arguments: refused)
        func `refuses a source by name`(source: String, mode: Int, words: String) throws {
            try withMachine { machine in
                let file = try machine.passcodeFile(mode: mode)
                let source = source.replacing("PASSCODE", with: file)
                let unlock = ["keychainctl", "unlock-keychain", "--unlock-with", source]
                let (status, output) = try machine.run(unlock)
                #expect(status != 0)
                #expect(output.contains(words), "\(output)")
                #expect(!output.contains("hunter2"))
                #expect(try machine.find().status != 0)
            }
        }
    }
}
