import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@Suite struct `The daemon of an account` {
    let bench: DaemonBench

    init() throws {
        bench = try DaemonBench()
        try bench.writePolicy()
    }

    @Test func `serves the command, and ends with 0 when it is told to`() throws {
        try bench.start("--user")
        #expect(try bench.add().status == 0)
        #expect(try bench.find().output == "open sesame\n")
        #expect(try bench.end() == 0)
        #expect(access(bench.socket, F_OK) != 0)
    }

    @Test(.requirement("LCK-10"))
    func `has memory that its own account can neither read nor trace`() throws {
        try bench.start("--user")
        var status = stat()
        try #require(stat("/proc/\(bench.processID)/mem", &status) == 0)
        #expect(status.st_uid == 0)
    }

    @Test func `uses the keychain that the account has without it`() throws {
        #expect(try bench.run("status", variables: ["KEYCHAIN_SOCKET": ""]).status == 0)
        let embedded = try bench.run(
            "add-generic-password",
            "-s",
            "mail",
            "-a",
            "ada",
            input: "before\n",
            variables: ["KEYCHAIN_SOCKET": ""]
        )
        #expect(embedded.status == 0)
        try bench.start("--user")
        #expect(try bench.find().output == "before\n")
    }

    @Test(.requirement("DMN-08"))
    func `is not replaced by another keychain when it does not answer`() throws {
        try bench.start("--user")
        _ = try bench.add()
        try bench.end(with: SIGKILL)
        let refused = try bench.find()
        #expect(refused.status == 53)
        #expect(refused.errors.contains("errSecNotAvailable (-25291)"))
        #expect(refused.errors.contains(bench.socket))
    }

    @Test(
        .requirement("DMN-08"),
        arguments: [
            ["status"], ["add-generic-password", "-s", "mail", "-a", "ada"],
            ["find-generic-password", "-s", "mail"], ["passcode", "set"], ["lock-keychain"],
        ]
    )
    func `leaves no file of another keychain when it does not answer`(words: [String]) throws {
        try bench.start("--user")
        try bench.end(with: SIGKILL)
        let account = bench.folder + "/own"
        let before = try FileManager.default.subpathsOfDirectory(atPath: account).sorted()
        let places = [
            "KEYCHAIN_HOME": account + "/elsewhere", "HOME": account + "/home",
            "XDG_DATA_HOME": account + "/data",
        ]
        let refused = try bench.run(words, input: "tundra velvet orbit\n", variables: places)
        #expect(refused.status == 53)
        #expect(refused.errors.contains("errSecNotAvailable (-25291)"))
        let after = try FileManager.default.subpathsOfDirectory(atPath: account).sorted()
        #expect(after == before)
    }

    /// Every attribute that the command takes, the value, and the passcode.
    @Test(.requirement("DMN-13"))
    func `writes no name and no value into its log, which shows what happened`() throws {
        try bench.start("--user")
        let names = ["service", "account", "label", "comment", "kind", "absent"]
            .map { "a-secret-\($0)" }
        let item = ["-s", names[0], "-a", names[1]]
        let more = ["-l", names[2], "-j", names[3], "-D", names[4]]
        let value = "a-secret-value"
        #expect(try bench.run(["add-generic-password"] + item + more, input: value).status == 0)
        #expect(try bench.run(["find-generic-password", "-w"] + item).output == value + "\n")
        #expect(try bench.run(["find-generic-password", "-s", names[5]]).status == 44)
        #expect(try bench.run(["delete-generic-password"] + item).status == 0)
        let passcode = "a-secret-passcode tundra velvet orbit"
        #expect(try bench.run(["passcode", "set"], input: passcode + "\n").status == 0)
        let folder = bench.folder + "/own/keychain/log"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
            try Data(contentsOf: URL(filePath: folder + "/" + name))
        }
        let shown = try ["log", "log --json"].map { line in
            try bench.run(line.split(separator: " ").map(String.init)).output
        }
        let text = files + shown.map { Data($0.utf8) }
        // The log has these calls, so that a name could be there.
        #expect(shown[0].contains("add") && shown[0].contains("delete"))
        let itemClass = Data(ItemClass.genericPassword.rawValue.utf8)
        #expect(text.filter { $0.firstRange(of: itemClass) != nil }.count >= 3)
        let found = (names + [value, "a-secret", "tundra"]).filter { word in
            text.contains { $0.firstRange(of: Data(word.utf8)) != nil }
        }
        #expect(found == [])
        let verdict = try bench.run("log", "--verify")
        #expect(verdict.status == 0, "\(verdict.errors)")
    }

    @Test(.requirement("DMN-08"))
    func `is an error while it is stopped`() throws {
        try bench.start("--user")
        kill(bench.processID, SIGSTOP)
        let refused = try bench.find()
        kill(bench.processID, SIGCONT)
        #expect(refused.errors.contains("does not answer"))
    }

    @Test(.requirement("DMN-09"), .timeLimit(.minutes(10)))
    func `has the command prompt at its own terminal`() throws {
        try bench.start("--user")
        try bench.run("passcode", "set", input: "tundra velvet orbit\n")
        try bench.run(
            "add-generic-password",
            "-s",
            "mail",
            "-a",
            "ada",
            "--require",
            "userPresence",
            input: "open sesame\n"
        )
        let line = "find-generic-password -s mail -a ada -w"
        let shown = try bench.runAtTerminal(line, typing: "tundra velvet orbit")
        #expect(shown.contains("open sesame"), "\(shown)")
        let refused = try bench.find()
        #expect(refused.errors.contains("errSecInteractionNotAllowed (-25308)"))
    }

    @Test(.requirement("DMN-19"))
    func `is what the doctor looks at, and not the directory of the environment`() throws {
        try bench.start("--user")
        let found = try bench.run("doctor", variables: ["KEYCHAIN_HOME": "/nowhere"])
        #expect(found.status == 0, "\(found.errors)")
        #expect(found.output.contains("endpoint"))
        #expect(found.output.contains("location        \(bench.folder)/own/keychain"))
        #expect(!found.output.contains("/nowhere"))
        #expect(!found.output.contains("KEYCHAIN_ENTITLEMENTS"))
    }

    @Test func `takes the place of one that was killed`() throws {
        try bench.start("--user")
        _ = try bench.add()
        try bench.end(with: SIGKILL)
        try bench.start("--user")
        #expect(try bench.find().output == "open sesame\n")
    }

    @Test func `does not start beside another one`() throws {
        try bench.start("--user")
        let second = try DaemonBench()
        let said = try second.start(
            "--user",
            "--foreground",
            "--socket",
            bench.socket,
            withDefaults: false
        )
        #expect(said.contains("another daemon listens at \(bench.socket)"))
        #expect(try second.exitStatus() == 1)
        #expect(try bench.find().status == 44)
    }

    @Test func `does not listen where others can put another socket`() throws {
        chmod(bench.folder, 0o777)
        let said = try bench.start("--user")
        #expect(said.contains("others can write to \(bench.folder)"))
        #expect(try bench.exitStatus() == 1)
    }

    @Test(.requirement("DMN-06"))
    func `reads no policy that others can write`() throws {
        chmod(bench.folder + "/policy/command.json", 0o666)
        let said = try bench.start("--user")
        #expect(said.contains("command.json"))
    }

    @Test func `lets only the command do maintenance`() throws {
        try bench.start("--user")
        _ = try bench.add()
        #expect(try bench.run("check").status == 0)
        // Without its policy the command is a program like others.
        unlink(bench.folder + "/policy/command.json")
        kill(bench.processID, SIGHUP)
        try bench.end()
        try bench.start("--user")
        let refused = try bench.run("check")
        #expect(refused.errors.contains("errSecMissingEntitlement (-34018)"))
        #expect(refused.errors.contains("only keychainctl"))
    }

    private static let usages: [[String]] = [
        [], ["--system", "--user"], ["--user", "--color"], ["--user", "--socket"],
        ["--user=yes"], ["--user", "name"],
    ]

    @Test(arguments: usages)
    func `refuses wrong usage with 2`(words: [String]) throws {
        let result = try runProgram([DaemonBench.program("keychaind")] + words)
        #expect(result.status == 2)
    }
}
