import Foundation
import Glibc
import TestSupport
import Testing

/// Programs as an ordinary account runs them, also where root runs the tests.
private struct OrdinaryAccount {
    /// An account that nobody has.
    static let userID: uid_t = 54_321

    static var isRoot: Bool { geteuid() == 0 }

    let workshop: Workshop
    let userID: uid_t
    private let prefix: [String]

    init() throws {
        workshop = try Workshop()
        guard Self.isRoot else {
            (userID, prefix) = (geteuid(), [])
            return
        }
        userID = Self.userID
        prefix = ["setpriv", "--reuid=\(userID)", "--regid=\(userID)", "--clear-groups"]
        try #require(chmod(workshop.scratch.path, 0o700) == 0)
        try #require(chown(workshop.scratch.path, userID, userID) == 0)
    }

    func run(_ words: String..., input: String = "") throws -> (status: Int32, output: String) {
        try workshop.run(prefix + words, input: input)
    }

    /// Lends a `keychainctl` that has read a secret and waits for the rest of it.
    ///
    /// A pipe holds 64 KiB: once more than that is written, the program has the difference.
    func withHolder<R>(
        of secret: String,
        _ setting: String = "LC_ALL=C",
        _ body: (pid_t) throws -> R
    ) throws -> R {
        let command = ["keychainctl", "add-generic-password", "-a", holderAccount, "-s", "held"]
        let words = ["env", setting] + command
        let process = try workshop.start(prefix + words, hasInput: true)
        let text = String(repeating: secret, count: 256 * 1024 / secret.utf8.count)
        try process.write(text)
        defer { _ = try? process.end(SIGKILL) }
        return try body(process.processID)
    }

    /// Crashes a program that reads its input.
    ///
    /// - Returns: `CLD_DUMPED` if there is a core file, `CLD_KILLED` if there is none.
    func crash(_ words: String...) throws -> Int {
        try crash(words)
    }

    func crash(_ words: [String]) throws -> Int {
        let limit = ["prlimit", "--core=unlimited:unlimited"]
        let process = try workshop.start(limit + prefix + words, hasInput: true)
        // More than a pipe holds: the program has read of it.
        try process.write(String(repeating: "x", count: 256 * 1024))
        kill(process.processID, SIGSEGV)
        var found = siginfo_t()
        let options = WEXITED | WNOWAIT
        try #require(waitid(P_PID, id_t(process.processID), &found, options) == 0)
        return Int(found.si_code)
    }

    /// Stands in ordinary memory, and so in every core file.
    let holderAccount = "ordinary-memory-" + UUID().uuidString

    func remove() { workshop.scratch.remove() }
}

/// Counts where text stands in a file.
private func occurrences(of text: String, in path: String) throws -> Int {
    let file = try Data(contentsOf: URL(filePath: path), options: .alwaysMapped)
    var count = 0
    var rest = file[...]
    while let hit = rest.firstRange(of: Data(text.utf8)) {
        count += 1
        rest = rest[hit.upperBound...]
    }
    return count
}

/// A setting of the whole machine below `/proc/sys/kernel`.
private struct KernelSetting {
    private let file: URL
    private let before: Data

    init(_ name: String) throws {
        file = URL(filePath: "/proc/sys/kernel/" + name)
        before = try Data(contentsOf: file)
    }

    func set(_ value: String) throws { try Data(value.utf8).write(to: file) }

    func restore() { try? before.write(to: file) }
}

private let hasDebugger = Workshop.isInstalled("gcore")

private func makesCoreFiles() -> Bool {
    guard let account = try? OrdinaryAccount() else { return false }
    defer { account.remove() }
    return (try? account.crash("cat")) == CLD_DUMPED
}

extension Programs {
    @Suite struct `The memory of a running command` {
        private let account: OrdinaryAccount
        private let secret = "held-secret-" + UUID().uuidString

        init() throws { account = try OrdinaryAccount() }

        @Test(.requirement("LCK-10"))
        func `belongs to root alone, as its proc folder shows`() throws {
            defer { account.remove() }
            try account.withHolder(of: secret) { processID in
                let owner = try account.run("stat", "-c", "%u", "/proc/\(processID)/mem").output
                #expect(owner == "0\n")
                let reading = try account.run("head", "-c", "1", "/proc/\(processID)/mem")
                #expect(reading.status != 0)
                #expect(reading.output.contains("Permission denied"), "\(reading.output)")
            }
        }

        @Test(
            .enabled(if: hasDebugger, "gdb is not installed, so that nothing can try to trace")
        )
        func `is not dumped by a debugger of the same account`() throws {
            defer { account.remove() }
            let core = account.workshop.scratch.path + "/core"
            try account.withHolder(of: secret) { processID in
                let attempt = try account.run("gcore", "-o", core, "\(processID)")
                #expect(attempt.status != 0, "\(attempt.output)")
                #expect(!FileManager.default.fileExists(atPath: "\(core).\(processID)"))
            }
        }

        @Test(
            .enabled(if: hasDebugger && OrdinaryAccount.isRoot, "only root with gdb can dump it")
        )
        func `holds no secret in the core file that root takes`() throws {
            defer { account.remove() }
            let core = account.workshop.scratch.path + "/core"
            try account.withHolder(of: secret) { processID in
                let dump = try account.workshop.run("gcore", "-o", core, "\(processID)")
                #expect(dump.status == 0, "\(dump.output)")
                #expect(try occurrences(of: account.holderAccount, in: "\(core).\(processID)") > 0)
                #expect(try occurrences(of: secret, in: "\(core).\(processID)") == 0)
            }
        }

        /// The runtime would start a program that reads the memory.
        @Test(.requirement("LCK-10")) func `leaves its crashes to the kernel`() throws {
            defer { account.remove() }
            try account.withHolder(of: secret, "SWIFT_BACKTRACE=enable=yes") { processID in
                let status = try account.run("grep", "SigCgt", "/proc/\(processID)/status").output
                let digits = try #require(status.split(whereSeparator: \.isWhitespace).last)
                let handled = try #require(UInt64(digits, radix: 16))
                let crashes = [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP]
                #expect(crashes.filter { handled & 1 << ($0 - 1) != 0 } == [])
            }
        }

        /// Where the kernel writes core files at all, or hands them to a handler.
        @Test(
            .enabled(
                if: OrdinaryAccount.isRoot && makesCoreFiles(),
                "this machine makes no core file of a program that crashes"
            )
        )
        func `is in no core file that the kernel makes of a crash`() throws {
            defer { account.remove() }
            #expect(try account.crash("cat") == CLD_DUMPED)
            let words = ["add-generic-password", "-a", "A", "-s", "held"]
            #expect(try account.crash(["keychainctl"] + words) == CLD_KILLED)
        }

        @Test(
            .enabled(
                if: OrdinaryAccount.isRoot
                    && ProcessInfo.processInfo.environment["KEYCHAIN_TEST_CORE_PATTERN"] == "1",
                "core_pattern is the machine's: KEYCHAIN_TEST_CORE_PATTERN=1 lets root set it"
            )
        )
        func `is not piped to a core handler`() throws {
            defer { account.remove() }
            let pattern = try KernelSetting("core_pattern")
            let limit = try KernelSetting("core_pipe_limit")
            defer {
                pattern.restore()
                limit.restore()
            }
            // With a limit the kernel waits until a handler has ended.
            try limit.set("8")
            let folder = account.workshop.scratch.path
            let handler = folder + "/handler"
            try account.workshop.scratch.write("#!/bin/sh\ncat > \(folder)/core.$1\n", to: handler)
            try #require(chmod(handler, 0o755) == 0)
            try pattern.set("|\(handler) %p")
            try account.withHolder(of: secret) { processID in
                let crash = try account.run("sh", "-c", "kill -SEGV \(processID); kill -SEGV $$")
                #expect(crash.status == SIGSEGV, "\(crash.output)")
            }
            // The shell's core shows that the handler works.
            let cores = try account.workshop.scratch.names.filter { $0.hasPrefix("core.") }
            let counts = try cores.map { try occurrences(of: secret, in: folder + "/" + $0) }
            #expect(counts == [0])
        }
    }
}

extension Programs {
    @Suite struct `A command that cannot be dumped` {
        private let account: OrdinaryAccount

        init() throws { account = try OrdinaryAccount() }

        @Test(.requirement("LCK-10"))
        func `does for an ordinary account all it does otherwise`() throws {
            defer { account.remove() }
            let adding = try account.run(
                "keychainctl",
                "add-generic-password",
                "-a",
                "alice",
                "-s",
                "shop",
                input: "hunter2"
            )
            #expect(adding.status == 0, "\(adding.output)")
            let found = try account.run("keychainctl", "find-generic-password", "-s", "shop", "-w")
            #expect(found.output == "hunter2\n")
            let doctor = try account.run("keychainctl", "doctor")
            #expect(doctor.status == 0, "\(doctor.output)")
            #expect(!doctor.output.contains("PROBLEM"), "\(doctor.output)")
            // The executable's path, from /proc/self/exe, names the group and the companion.
            let groups = try account.run("keychainctl", "access-groups")
            #expect(groups.output.contains("keychain"), "\(groups.output)")
            let companion = try account.run("keychainctl", "migrate", "--dry-run")
            #expect(!companion.output.contains("cannot be run"), "\(companion.output)")
        }

        @Test(.requirement("LCK-10"))
        func `leaves what it runs as dumpable as it was`() throws {
            defer { account.remove() }
            _ = try account.run(
                "keychainctl",
                "add-generic-password",
                "-a",
                "A",
                "-s",
                "shop",
                input: "hunter2"
            )
            let child = try account.run(
                "keychainctl",
                "env",
                "shop",
                "--",
                "stat",
                "-c",
                "%u",
                "/proc/self/mem"
            )
            #expect(child.output == "\(account.userID)\n")
        }
    }
}
