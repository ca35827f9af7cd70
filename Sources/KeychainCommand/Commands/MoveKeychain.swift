import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// `daemon adopt` and `daemon release`.
enum MoveKeychain {
    static let verbs = ["adopt", "release"]

    /// Moves the keychain of this account into the daemon, or back into the account's directory.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let daemon = try context.daemon()
        guard try context.connected().endpointDescription.kind != .userDaemon else {
            let reason =
                "this daemon uses the keychain in your directory already; only the system's daemon"
                + " has keychains of its own"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        let moving = MovingKeychain(context.environment)
        if arguments.operands.first == "adopt" { return try adopt(moving, daemon, context) }
        try release(moving, daemon, context)
    }

    private static func adopt(
        _ moving: MovingKeychain,
        _ daemon: any DaemonChannel,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let report = try CommandFailure.wrapping(try moving.adopt(into: daemon))
        try context.print(line: "\(items(report.itemCount)) moved into the daemon")
        try context.print(
            line: "the old directory is \(report.aside): remove it when all your programs work"
        )
        let own = try context.status().accessGroups
        let groups = report.groups.filter { !own.contains($0) }
        guard !groups.isEmpty else { return }
        try context.print(line: "these groups hold items; grant each one to its programs:")
        for group in groups {
            try context.print(line: "  keychainctl access grant \(quoted(group)) PROGRAM")
        }
    }

    private static func release(
        _ moving: MovingKeychain,
        _ daemon: any DaemonChannel,
        _ context: CommandContext
    ) throws(CommandFailure) {
        if let status = try? context.status(), !status.isPasscodeSet {
            let reason =
                "every program of the account can read a keychain outside the daemon;"
                + " run keychainctl passcode set first"
            throw .keychain(KeychainError(.authFailed, reason))
        }
        let passcode = try SecretInput(context.terminal).line(called: "Passcode")
        let report = try CommandFailure.wrapping(
            try moving.release(from: daemon, passcode: passcode)
        )
        if let itemCount = report.itemCount {
            try context.print(line: "\(items(itemCount)) moved out of the daemon")
        } else {
            try context.print(line: "the earlier move out of the daemon is finished")
        }
        try context.print(line: "the daemon's copy is \(report.aside): root can remove it")
        try context.print(
            line: "grants and the log stay there; while the daemon runs, set KEYCHAIN_SOCKET= for"
                + " programs that are to use your directory"
        )
    }

    private static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }

    /// A group as one word of a shell.
    private static func quoted(_ group: String) -> String {
        let isPlain = group.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard !isPlain || group.isEmpty else { return group }
        return "'" + group.replacing("'", with: "'\\''") + "'"
    }
}
