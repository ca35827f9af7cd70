import Foundation
import Glibc
import TestSupport
import Testing

/// A device that one process keeps, and programs that use it.
private final class Bench {
    let folder = FileManager.default.temporaryDirectory.appending(path: "served-\(UUID())")
    private let command: URL
    private var server: TestProcess?

    init() throws {
        command = URL(filePath: try BuiltPrograms.path("keychainctl"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    var socket: String { folder.path + "/phone.sock" }

    func remove() {
        server = nil
        Litter.remove(folder.path)
    }

    fileprivate func process(_ words: [String], _ variables: [String: String]) throws -> TestProgram
    {
        let environment = ["KEYCHAIN_HOME": folder.path + "/keychain", "PATH": "/usr/bin"]
        return try TestProgram(
            [command.path] + words,
            environment: environment.merging(variables) { $1 }
        )
    }

    /// Starts the process that keeps the device, and waits until it says that it is ready.
    func serve(_ options: String...) throws {
        let server = try process(["simulate", "--serve", socket] + options, [:]).start()
        self.server = server
        #expect(try server.hear(until: "\n").contains("KEYCHAIN_SIM=\(socket)"))
    }

    /// Ends the process that keeps the device.
    func end(with signal: Int32) throws -> Int32 {
        let server = try #require(server)
        return try server.end(signal).status
    }

    struct Result {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a program that uses the device.
    @discardableResult
    func run(
        _ words: String...,
        input: String = "",
        variables: [String: String] = [:]
    ) throws -> Result {
        try run(words, input: input, variables: variables)
    }

    func run(
        _ words: [String],
        input: String = "",
        variables: [String: String] = [:]
    ) throws -> Result {
        let all = variables.merging(["KEYCHAIN_SIM": socket]) { $1 }
        return try finish(try process(words, all), input)
    }

    /// Acts on the device.
    @discardableResult
    func act(_ words: String..., input: String = "") throws -> Result {
        try finish(try process(["simulate", socket] + words, [:]), input)
    }

    fileprivate func finish(_ program: TestProgram, _ input: String) throws -> Result {
        let result = try program.run(input: input, joinsErrors: false)
        return Result(status: result.status, output: result.output, errors: result.errors)
    }

    func add(_ account: String = "ada") throws -> Int32 {
        try run("add-generic-password", "-s", "mail", "-a", account, input: "s3cret").status
    }

    func find(_ account: String = "ada") throws -> Result {
        try run("find-generic-password", "-s", "mail", "-a", account, "-w")
    }
}

@Suite struct `A simulated device in another process` {
    @Test(.requirement("SIM-19", "DMN-20"), arguments: ["iOS 26", "macOS 26"])
    func `gives an unmodified program the status of each of its states`(system: String) throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve("--system", system)
        #expect(try bench.add() == 0)
        #expect(try bench.find().output == "s3cret\n")
        #expect(try bench.act("background").status == 0)
        #expect(try bench.act("lock", "10s").status == 0)
        #expect(try bench.act("advance", "9s").status == 0)
        #expect(try bench.find().status == 0)
        #expect(try bench.act("advance", "1s").status == 0)
        #expect(try bench.find().status == 36)
        #expect(try bench.act("unlock", "-", input: "1111\n").status == 51)
        #expect(try bench.act("unlock", "-", input: "0000\n").status == 0)
        #expect(try bench.find().status == 0)
        #expect(try bench.act("reboot").status == 0)
        #expect(try bench.find().status == 36)
        #expect(try bench.act("unlock").status == 0)
        #expect(try bench.act("erase").status == 0)
        #expect(try bench.find().status == 44)
        let home = bench.folder.path + "/keychain"
        #expect(!FileManager.default.fileExists(atPath: home))
    }

    @Test func `takes no secret out of a file, for it ends with its program`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let file = bench.folder.appending(path: ".env")
        try Data("API_TOKEN=x\n".utf8).write(to: file)
        let move = try bench.run("migrate", file.path)
        #expect(move.status == 2)
        #expect(move.errors.contains("copy with --keep"), "\(move.errors)")
        #expect(try bench.run("migrate", "--keep", file.path).status == 0)
        #expect(try Data(contentsOf: file) == Data("API_TOKEN=x\n".utf8))
        let find = ["find-generic-password", "-s", bench.folder.path, "-a", "API_TOKEN", "-w"]
        #expect(try bench.run(find).output == "x\n")
    }

    @Test(.requirement("DMN-20"))
    func `answers a program's prompts by its user`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        #expect(try bench.add() == 0)
        let gate = try bench.run(
            "set-access-control",
            "-s",
            "mail",
            "-a",
            "ada",
            "--require",
            "biometryCurrentSet"
        )
        #expect(gate.status == 0, "\(gate.errors)")
        #expect(try bench.find().status == 0)
        #expect(try bench.act("prompts").output.contains("face  keychain"))
        #expect(try bench.act("user", "cancels=yes").status == 0)
        #expect(try bench.find().status == 128)
        #expect(try bench.act("prompts").output.hasSuffix("canceled\n"))
    }

    @Test func `hands its findings to the program`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let added = try bench.run(
            "add-generic-password",
            "-s",
            "mail",
            "-a",
            "ada",
            input: "s3cret",
            variables: ["KEYCHAIN_DIAGNOSTICS": "1"]
        )
        #expect(added.errors.contains("missing-accessible"))
        #expect(try bench.act("findings").output.contains("missing-accessible"))
    }

    @Test func `believes the entitlements of a program`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let file = bench.folder.appending(path: "shared.entitlements")
        let list = ["keychain-access-groups": ["TEAMID1234.shared"]]
        let data = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: .xml,
            options: 0
        )
        try data.write(to: file)
        let groups = try bench.run(
            "status",
            variables: ["KEYCHAIN_ENTITLEMENTS": file.path]
        )
        #expect(groups.output.contains("TEAMID1234.shared"), "\(groups.errors)")
        let absent = try bench.run(
            "status",
            variables: ["KEYCHAIN_ENTITLEMENTS": file.path + "x"]
        )
        #expect(absent.status == 30)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `ends with its socket, and then every call fails`(signal: Int32) throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        #expect(try bench.add() == 0)
        #expect(try bench.end(with: signal) == 0)
        #expect(!FileManager.default.fileExists(atPath: bench.socket))
        let call = try bench.find()
        #expect(call.status == 53)
        #expect(call.errors.contains("is not running: start it with keychainctl simulate"))
        #expect(!FileManager.default.fileExists(atPath: bench.folder.path + "/keychain"))
    }

    @Test func `is started again after it was killed`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve("--no-passcode")
        _ = try bench.end(with: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: bench.socket))
        let dead = try bench.find()
        #expect(dead.status == 53)
        #expect(dead.errors.contains("does not answer"))
        try bench.serve()
        #expect(try bench.find().status == 44)
        #expect(try bench.act("stop").status == 0)
    }

    @Test func `is served by one process`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let second = try bench.run("simulate", "--serve", bench.socket)
        #expect(second.status == 53)
        #expect(second.errors.contains("runs at \(bench.socket) already"))
        #expect(try bench.add() == 0)
    }

    @Test func `keeps its passcode from the programs`() throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let change = try bench.run("passcode", "set", input: "1111\n")
        #expect(change.status != 0)
        #expect(try bench.act("set-passcode", "2222").status == 0)
        #expect(try bench.act("lock").status == 0)
        #expect(try bench.act("unlock", "2222").status == 0)
    }

    @Test(arguments: [
        (["lokc"], "there is no command 'lokc'"),
        (["lock", "soon"], "a time such as 60s, 5m or 2h is expected"),
    ])
    func `explains a command that it does not have`(words: [String], reason: String) throws {
        let bench = try Bench()
        defer { bench.remove() }
        try bench.serve()
        let result = try bench.run("simulate", bench.socket, words[0], words.last ?? "")
        #expect(result.status == 2)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test(arguments: [
        (["--serve", "a/b"], "the path of the simulated device is relative"),
        (["--serve", "phone", "x.json"], "--serve runs no files"),
        (["--serve", "phone", "--system", "BeOS 5"], "invalid value for --system"),
        (["--serve", "phone", "--ask-passcode", "--no-passcode"], "not both"),
        (["--no-passcode", "x.json"], "--no-passcode belongs to --serve"),
        ([], "missing argument: file, or --serve and a name"),
    ])
    func `is not started with options that make no sense`(
        words: [String],
        reason: String
    ) throws {
        let bench = try Bench()
        defer { bench.remove() }
        let result = try bench.simulate(words)
        #expect(result.status == 2)
        #expect(result.errors.contains(reason), "\(result.errors)")
    }
}

extension Bench {
    fileprivate func simulate(_ words: [String]) throws -> Result {
        try finish(try process(["simulate"] + words, [:]), "")
    }
}
