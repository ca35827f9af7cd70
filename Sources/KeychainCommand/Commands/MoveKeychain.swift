import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// `daemon adopt`, `daemon release` and `daemon discard`.
enum MoveKeychain {
    static let verbs = ["adopt", "release", "discard"]

    /// Moves this account's keychain into the daemon or back into a directory, or removes the copy
    /// that a move left.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let daemon = try context.daemon()
        guard try CommandFailure.wrapping(try daemon.kind()) != .userDaemon else {
            let reason =
                "this daemon uses the keychain in your directory already; only the system's daemon"
                + " has keychains of its own"
            throw .keychain(KeychainError(.unimplemented, reason))
        }
        let moving = MovingKeychain(context.environment)
        switch arguments.operands.first {
        case "adopt": try adopt(moving, daemon, context)
        case "discard": try discard(moving, daemon, context)
        default: try release(moving, daemon, context)
        }
    }

    private static func adopt(
        _ moving: MovingKeychain,
        _ daemon: any DaemonChannel,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let report = try CommandFailure.wrapping(
            try moving.adopt(into: daemon) { () throws(KeychainError) in
                // The daemon reports no status of a keychain that was released.
                if let status = try? context.status(), !status.isPasscodeSet { throw noPasscode }
                do throws(CommandFailure) {
                    try context.note(
                        "the daemon's keychain was used before: its passcode lets this one take"
                            + " its place"
                    )
                    return try SecretInput(context.terminal).line(called: "Passcode")
                } catch { throw error.refusal }
            }
        )
        try context.print(line: "\(items(report.itemCount)) moved into the daemon")
        try context.print(
            line: "the old directory is \(report.aside): remove it when all your programs work"
        )
        if let kept = report.kept { try tell(kept, context) }
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
        try tell(report.aside, context)
        for path in report.kept {
            try context.print(line: "\(QuotedText.of(path)) has what was in the way before")
        }
        try context.print(
            line: "grants and the log stay there; while the daemon runs, set KEYCHAIN_SOCKET= for"
                + " programs that are to use your directory"
        )
    }

    private static let noPasscode = KeychainError(
        .authFailed,
        "the daemon's keychain was used before, and has no passcode, so the daemon cannot tell you"
            + " from a program; run keychainctl passcode set first"
    )

    /// Reports the copy that the daemon keeps, and how to remove it.
    private static func tell(
        _ aside: String,
        _ context: CommandContext
    ) throws(CommandFailure) {
        try context.print(
            line: "the daemon keeps the earlier keychain in \(QuotedText.of(aside)); to remove it,"
                + " run keychainctl daemon discard"
        )
    }

    /// Removes the copy that an earlier move left.
    private static func discard(
        _ moving: MovingKeychain,
        _ daemon: any DaemonChannel,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let passcode = try SecretInput(context.terminal).line(called: "Passcode")
        let paths = try CommandFailure.wrapping(
            try moving.discard(in: daemon, passcode: passcode)
        )
        for path in paths { try context.print(line: "removed \(QuotedText.of(path))") }
    }

    private static func items(_ count: Int) -> String { count == 1 ? "1 item" : "\(count) items" }

    /// Returns a group, quoted as one word for a shell.
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
