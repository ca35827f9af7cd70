import Foundation
import Glibc
import TestSupport
import Testing

/// A protected command, as an ordinary account runs it.
private struct ProtectedCommand {
    /// A group that nobody has, and an account that nobody has.
    static let group: gid_t = 54_399
    static let account: uid_t = 54_321

    let workshop: Workshop
    private let folder: String

    init() throws {
        workshop = try Workshop()
        folder = workshop.scratch.path
        try #require(chmod(folder, 0o755) == 0 && chown(folder, Self.account, Self.account) == 0)
    }

    func remove() { workshop.scratch.remove() }

    /// Copies a program, with the set-group-ID bit for the group.
    func protect(_ program: String) throws -> String {
        let copy = folder + "/" + (program.split(separator: "/").last ?? "")
        try FileManager.default.copyItem(atPath: program, toPath: copy)
        try #require(chown(copy, 0, Self.group) == 0 && chmod(copy, 0o2755) == 0)
        return copy
    }

    func run(_ words: String..., input: String = "") throws -> (status: Int32, output: String) {
        let account = "--reuid=\(Self.account)"
        let prefix = ["setpriv", account, "--regid=\(Self.account)", "--clear-groups"]
        return try workshop.run(prefix + words, input: input)
    }

    /// The four group numbers of a process, as its status lists them.
    func groups(in status: String) -> [String] {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Gid:") }
        return (line ?? "").split(separator: "\t").dropFirst().map(String.init)
    }
}

@Suite(.enabled(if: geteuid() == 0, "only root can protect a program"))
struct `A protected command` {
    private static let own = Array(repeating: String(ProtectedCommand.account), count: 4)

    @Test(.requirement("DMN-04"))
    func `gives its group to no program that it runs, and to no file`() throws {
        let command = try ProtectedCommand()
        defer { command.remove() }
        // The group is raised here at all.
        let control = try command.run(try command.protect("/usr/bin/cat"), "/proc/self/status")
        #expect(command.groups(in: control.output).contains("\(ProtectedCommand.group)"))
        let program = try command.protect(command.workshop.products + "/keychainctl")
        let added = try command.run(
            program,
            "add-generic-password",
            "-s",
            "app",
            "-a",
            "TOKEN",
            input: "secret"
        )
        #expect(added.status == 0, "\(added.output)")
        let child = try command.run(
            program,
            "env",
            "--exact",
            "app",
            "--",
            "/bin/cat",
            "/proc/self/status"
        )
        #expect(command.groups(in: child.output) == Self.own, "\(child.output)")
        let files = try command.run(
            "find",
            command.workshop.scratch.path + "/keychain",
            "-group",
            "\(ProtectedCommand.group)"
        )
        #expect(files.output.isEmpty)
    }

    @Test(.requirement("DMN-04"))
    func `gives its group to no dialog that it shows`() throws {
        let command = try ProtectedCommand()
        defer { command.remove() }
        let program = try command.protect(command.workshop.products + "/keychainctl")
        let scratch = command.workshop.scratch
        let dialog = scratch.path + "/dialog"
        let status = scratch.path + "/status"
        // A shell would drop a raised group by itself.
        let script = """
            #!/usr/bin/python3
            open("\(status)", "w").write(open("/proc/self/status").read())
            """
        try scratch.write(script, to: dialog)
        #expect(chmod(dialog, 0o755) == 0)
        #expect(
            try command.run(program, "add-generic-password", "-s", "app", "-a", "a", input: "x")
                .status == 0
        )
        #expect(try command.run(program, "passcode", "set", input: "7-words\n").status == 0)
        let gate = try command.run(
            program,
            "set-access-control",
            "-s",
            "app",
            "-a",
            "a",
            "--require",
            "userPresence"
        )
        #expect(gate.status == 0, "\(gate.output)")
        _ = try command.run(
            "env",
            "KEYCHAIN_PINENTRY=\(dialog)",
            "KEYCHAIN_PROMPT=pinentry",
            program,
            "find-generic-password",
            "-s",
            "app",
            "-w"
        )
        let seen = try String(contentsOfFile: status, encoding: .utf8)
        #expect(command.groups(in: seen) == Self.own, "\(seen)")
    }
}
