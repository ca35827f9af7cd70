import Foundation
import Glibc
import TestSupport
import Testing

/// The built command in processes of its own, over a directory of one test.
private struct Program {
    let directory: TestDirectory
    private let path: String
    private var socket: String { directory.path + "/socket" }

    init(_ directory: TestDirectory) throws {
        self.directory = directory
        path = try BuiltPrograms.path("keychainctl")
    }

    /// Runs to the end; both output streams together.
    func run(_ words: [String], source: String? = nil, input: String = "") throws -> Ran {
        var environment = environment
        if let source { environment["KEYCHAIN_UNLOCK_WITH"] = source }
        if access(socket, F_OK) == 0 { environment["KEYCHAIN_SOCKET"] = socket }
        let result = try runProgram([path] + words, input: input, environment: environment)
        return Ran(result.status, result.output)
    }

    private var environment: [String: String] {
        [
            "KEYCHAIN_HOME": directory.path + "/keychain", "KEYCHAIN_UNLOCK_TIME": "0",
            "XDG_RUNTIME_DIR": directory.path, "KEYCHAIN_SOCKET": "",
            "KEYCHAIN_PROMPT": "none",
        ]
    }

    /// Works while a daemon has the keychain, which is told where the passcode is.
    func withDaemon(source: String, _ body: () throws -> Void) throws {
        let policies = directory.path + "/policies"
        mkdir(policies, 0o755)
        let policy = """
            {"program": "\(path)", "level": "nobody", "applicationIdentifier": "keychain"}
            """
        try Data(policy.utf8).write(to: URL(filePath: policies + "/command.json"))
        chmod(policies + "/command.json", 0o644)
        let program = URL(filePath: path).deletingLastPathComponent().appending(path: "keychaind")
        let words = ["--user", "--foreground", "--socket", socket, "--policy", policies]
        let variables = environment.merging(["KEYCHAIN_UNLOCK_WITH": source]) { $1 }
        let daemon = try TestProgram([program.path] + words, environment: variables)
            .start(hears: [STDERR_FILENO])
        try daemon.hear(until: " serves ")
        try body()
        try daemon.end()
    }

    /// What a run did.
    struct Ran {
        let status: Int32
        let output: String

        init(_ status: Int32, _ output: String) {
            self.status = status
            self.output = output
        }
    }

    /// Takes the session images away, which a restart of the machine does.
    func restart() throws {
        let bag = try Data(contentsOf: URL(filePath: directory.path + "/keychain/keybag"))
        let name = bag[12..<20].map { String(format: "%02x", $0) }.joined()
        for place in ["/run/user/\(geteuid())", "/dev/shm", directory.path] {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for file in files where file.hasPrefix("keychain-\(name)-") {
                try FileManager.default.removeItem(atPath: place + "/" + file)
            }
        }
    }
}

@Suite(
    .serialized,
    .enabled(if: TestTPM.program != nil, "swtpm is not installed: run Scripts/setup.sh")
)
struct `A passcode that is sealed to a TPM` {
    private let tpm: TestTPM
    private let program: Program
    private var source: String { "tpm:" + tpm.place }
    private let find = ["find-generic-password", "-s", "mail", "-a", "ada", "-w"]

    init() throws {
        tpm = try TestTPM()
        program = try Program(TestDirectory())
        #expect(try program.run(["passcode", "set"], input: "tea for two\n").status == 0)
        let add = ["add-generic-password", "-s", "mail", "-a", "ada"]
        #expect(try program.run(add, input: "hunter2").status == 0)
    }

    private var file: String { program.directory.path + "/keychain/sealed-passcode" }

    private func seal(_ passcode: String = "tea for two\n") throws -> Program.Ran {
        try program.run(["passcode", "seal", "--unlock-with", source], input: passcode)
    }

    @Test(.requirement("OPS-03"))
    func `unlocks the keychain for a fresh process after a restart`() throws {
        #expect(try seal().output == "")
        let sealed = try Data(contentsOf: URL(filePath: file))
        #expect(sealed.range(of: Data("tea for two".utf8)) == nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
        #expect(mode as? Int == 0o600)
        try program.restart()
        try tpm.restart()
        #expect(try program.run(find).output.contains("-25308"))
        #expect(try program.run(find, source: source).output == "hunter2\n")
        try program.restart()
        #expect(try program.run(["unlock-keychain", "--unlock-with", source]).status == 0)
        #expect(try program.run(find).output == "hunter2\n")
        try program.restart()
    }

    @Test(.requirement("DMN-12"))
    func `unlocks the keychain of a daemon after a restart`() throws {
        #expect(try seal().status == 0)
        try program.restart()
        try program.withDaemon(source: source) {
            let found = try program.run(find)
            #expect(found.output == "hunter2\n")
        }
        try program.restart()
    }

    @Test func `is of no use to another TPM`() throws {
        #expect(try seal().status == 0)
        try program.restart()
        let other = try TestTPM()
        defer { other.stop() }
        let refused = try program.run(find, source: "tpm:" + other.place)
        #expect(refused.status != 0)
        #expect(!refused.output.contains("hunter2"))
        #expect(try program.run(find).output.contains("-25308"))
    }

    @Test func `is refused when it is not the passcode`() throws {
        let refused = try seal("coffee\n")
        #expect(refused.output.contains("-25293"))
        #expect(access(file, F_OK) != 0)
        try program.restart()
    }

    @Test(arguments: [["change"], ["remove"]])
    func `goes with the passcode`(words: [String]) throws {
        #expect(try seal().status == 0)
        let ended = try program.run(["passcode"] + words, input: "tea for two\nnew words now\n")
        #expect(ended.status == 0, "\(ended.output)")
        #expect(ended.output.contains("the TPM no longer unlocks this keychain"))
        #expect(access(file, F_OK) != 0)
        try program.restart()
    }

    @Test func `needs a passcode that is set`() throws {
        let removed = try program.run(["passcode", "remove"], input: "tea for two\n")
        #expect(removed.status == 0 && removed.output == "")
        #expect(try seal("anything\n").output.contains("the keychain has no passcode"))
        #expect(access(file, F_OK) != 0)
    }

    /// ★ Bytes of the file that are not as they were: magic, salt, nonce, key, passcode.
    @Test(arguments: [0, 9, 12, 30, 40, 60, -1])
    func `does not open once it was changed`(place: Int) throws {
        #expect(try seal().status == 0)
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[place < 0 ? bytes.count + place : place] ^= 1
        try bytes.write(to: URL(filePath: file))
        try program.restart()
        let refused = try program.run(find, source: source)
        #expect(refused.status != 0)
        #expect(!refused.output.contains("hunter2"))
    }

    @Test(arguments: [0, 8, 39, 100])
    func `does not open once it was cut short`(count: Int) throws {
        #expect(try seal().status == 0)
        let bytes = try Data(contentsOf: URL(filePath: file))
        try bytes.prefix(count).write(to: URL(filePath: file))
        try program.restart()
        let refused = try program.run(find, source: source)
        #expect(refused.output.contains("is damaged: run keychainctl passcode seal again"))
    }
}
