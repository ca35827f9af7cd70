import EngineTestSupport
import Foundation
import KeychainSockets
import TestSupport
import Testing

@testable import KeychainHost

/// The files that say who answers, in a directory of one test.
private final class DoorFiles {
    let home = try? TestHome()

    private func root() throws -> String { try #require(home).root }

    func place(_ file: String, _ text: String) throws -> String {
        let path = "\(try root())/\(file)"
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    func examination(_ variables: [String: String] = [:]) throws -> DoorExamination {
        let root = try root()
        return DoorExamination(
            ProcessEnvironment(executable: root + "/program") { variables[$0] },
            in: DoorDirectories(
                services: ["\(root)/first", "\(root)/second"],
                modules: ["\(root)/modules"],
                libraries: ["\(root)/libraries"]
            )
        )
    }

    func service(_ directory: String, of program: String, name: String? = nil) throws -> String {
        let name = name ?? DoorExamination.busName
        let text = "[D-BUS Service]\nName=\(name)\nExec=\(program) --foreground\n"
        return try place("\(directory)/\(name).service", text)
    }
}

private let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"]

private func state(
    _ door: Door,
    of examination: DoorExamination,
    _ answer: DoorExamination.BusAnswer = .nobody
) throws -> DoorState {
    try #require(examination.states(answer).first { $0.door == door })
}

@Suite struct `Who answers for the Secret Service` {
    private let files = DoorFiles()

    @Test func `is nobody without a bus, which is no fault`() throws {
        let found = try state(.secretService, of: try files.examination(), .unasked)
        #expect(found.answer == .nobody)
        #expect(found.words == "nobody answers; there is no session bus")
        #expect(found.observation == nil)
    }

    @Test func `is nobody where the bus does not answer`() throws {
        let found = try state(.secretService, of: try files.examination(bus), .unreachable)
        #expect(found.words == "nobody answers; the session bus does not answer")
        #expect(found.isFault)
    }

    @Test func `is nobody where no file names a provider`() throws {
        _ = try files.service("first", of: "/usr/bin/other", name: "org.example.other")
        let found = try state(.secretService, of: try files.examination(bus))
        #expect(found.remark == "no .service file provides org.freedesktop.secrets")
        #expect(found.isFault)
    }

    @Test func `is whom the file starts`() throws {
        let file = try files.service("second", of: "/usr/bin/keychain-secret-service")
        let found = try state(.secretService, of: try files.examination(bus))
        #expect(found.answer == .onDemand)
        #expect(found.program == "/usr/bin/keychain-secret-service")
        #expect(found.isOurs && !found.isFault)
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test func `is whom the first of two files starts, and both are named`() throws {
        let file = try files.service("first", of: "/usr/bin/gnome-keyring-daemon")
        _ = try files.service("second", of: "/usr/bin/keychain-secret-service")
        let found = try state(.secretService, of: try files.examination(bus))
        #expect(found.program == "/usr/bin/gnome-keyring-daemon")
        let rival = "\(file) comes before what would start /usr/bin/keychain-secret-service"
        #expect(found.remark == rival)
        #expect(found.isFault)
        #expect(found.advice?.contains("--replace") == true)
    }

    @Test(arguments: [
        ("/usr/bin/keychain-secret-service", true), ("/usr/bin/gnome-keyring-daemon", false),
        ("/usr/bin/not-keychain-secret-service", false),
    ])
    func `is who has the name`(program: String, isOurs: Bool) throws {
        let owner = DoorExamination.BusAnswer.owner(process: 7, program: program)
        let found = try state(.secretService, of: try files.examination(bus), owner)
        #expect(found.answer == .running)
        #expect(found.isOurs == isOurs)
        #expect((found.advice == nil) == isOurs)
        #expect(found.words.hasPrefix("\(program) (process 7)"))
    }

    struct Sharing: Sendable, CustomTestStringConvertible {
        let words: [String]
        let hasMachineDaemon: Bool
        let isApart: Bool
        var testDescription: String { "\(words) with a daemon of the machine: \(hasMachineDaemon)" }

        static let all: [Sharing] = [
            .init(words: ["--replace"], hasMachineDaemon: false, isApart: false),
            .init(words: ["--replace"], hasMachineDaemon: true, isApart: true),
            .init(words: ["--shared"], hasMachineDaemon: true, isApart: false),
            .init(words: ["--apart"], hasMachineDaemon: false, isApart: true),
        ]
    }

    @Test(.requirement("SSV-05"), arguments: Sharing.all)
    func `says whether it keeps programs apart`(row: Sharing) {
        let found = DoorExamination.sharing(row.words, hasMachineDaemon: row.hasMachineDaemon)
        #expect(found.hasPrefix("each program reads its own items") == row.isApart)
        #expect(found.hasPrefix("every program of the session") != row.isApart)
    }

    @Test func `can be a program that the kernel does not name`() throws {
        let owner = DoorExamination.BusAnswer.owner(process: 7, program: nil)
        let found = try state(.secretService, of: try files.examination(bus), owner)
        #expect(found.words.hasPrefix("a program that cannot be seen (process 7)"))
    }
}

@Suite struct `Who answers for ssh's agent` {
    private let files = DoorFiles()

    @Test func `is nobody where no socket is named`() throws {
        let found = try state(.sshAgent, of: try files.examination())
        #expect(found.words == "nobody answers; SSH_AUTH_SOCK is not set")
        #expect(found.observation == nil)
    }

    @Test func `is nobody behind a socket that is left over`() throws {
        let path = try files.place("agent", "")
        let found = try state(.sshAgent, of: try files.examination(["SSH_AUTH_SOCK": path]))
        #expect(found.answer == .nobody)
        #expect(found.isFault)
        #expect(found.observation?.text.contains("\(path), where nobody answers") == true)
    }

    @Test func `is the process that listens`() throws {
        let path = try #require(files.home).root + "/agent"
        let listener = try UnixListener(at: path, mode: 0o600)
        let found = try state(.sshAgent, of: try files.examination(["SSH_AUTH_SOCK": path]))
        #expect(found.answer == .running)
        #expect(found.process == getpid())
        #expect(found.program == ProcessEnvironment.current.executable)
        #expect(!found.isOurs)
        _ = consume listener
    }
}

@Suite struct `Who answers for PKCS#11` {
    private let files = DoorFiles()
    private let name = Door.pkcs11.fileName

    @Test func `is nobody where no file names the module`() throws {
        _ = try files.place("modules/other.module", "module: opensc-pkcs11.so\n")
        let found = try state(.pkcs11, of: try files.examination())
        #expect(found.answer == .nobody)
        #expect(!found.isFault)
    }

    @Test(arguments: [true, false])
    func `is the library, by its path or its name`(hasPath: Bool) throws {
        let library = try files.place("libraries/\(name)", "")
        let module = hasPath ? library : name
        let file = try files.place("modules/keychain.module", "# ours\nmodule: \(module)\n")
        let found = try state(.pkcs11, of: try files.examination())
        #expect(found.answer == .onDemand)
        #expect(found.program == library)
        #expect(found.place == file)
        #expect(found.isOurs && !found.isFault)
    }

    @Test func `is nobody where the library is gone`() throws {
        let file = try files.place("modules/keychain.module", "module: /nowhere/\(name)\n")
        let found = try state(.pkcs11, of: try files.examination())
        #expect(found.remark == "\(file) names /nowhere/\(name), which is not there")
        #expect(found.isFault)
    }
}

@Suite struct `A description of a service or module` {
    @Test(arguments: [
        ("Name=a\nName=b", "Name", "a"), ("Name = a b \n", "Name", "a b"),
        ("module: /x:y\n", "module", "/x:y"), ("Exec=\"/a b\" = c", "Exec", "\"/a b\" = c"),
        ("#Name=a\n\nName=", "Name", ""),
    ])
    func `is read line by line`(text: String, name: String, value: String) {
        #expect(DoorDescription(path: "x", text: text)[name] == value)
    }

    /// A pipe that nobody writes into would keep the reader for ever.
    @Test(.timeLimit(.minutes(10))) func `is a small file, and nothing else`() throws {
        let files = DoorFiles()
        let line = "Name=a\n"
        let small = try files.place("small", line)
        let large = try files.place("large", line + String(repeating: "#", count: 64 << 10))
        let pipe = (small as NSString).deletingLastPathComponent + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(DoorDescription(path: small)?["Name"] == "a")
        #expect([large, pipe, "/dev/zero", "/"].allSatisfy { DoorDescription(path: $0) == nil })
    }

    @Test(arguments: ["", "Name", "=", "\u{0}\u{FFFD}", "Names=a"])
    func `lacks what no line names`(text: String) {
        #expect(DoorDescription(path: "x", text: text)["Name"] == nil)
    }
}
