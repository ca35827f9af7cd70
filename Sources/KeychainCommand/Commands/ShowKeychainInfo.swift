import KeychainModel

/// `show-keychain-info`.
enum ShowKeychainInfo {
    /// Reports when the keychain locks by itself, and the events that always lock it.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let status = try context.status()
        let settings = status.lockSettings
        try context.print(
            arguments.has(.json)
                ? json(settings, status.isPasscodeSet).page
                : TextTable.page(rows(settings, status.isPasscodeSet))
        )
    }

    private static func rows(_ settings: LockSettings, _ isPasscodeSet: Bool) -> [[String]] {
        [
            ["when idle", settings.idleSeconds.map { "locks after \($0) s" } ?? "stays unlocked"],
            ["every day", time(settings).map { "locks at \($0)" } ?? "stays unlocked"],
            ["on sleep", settings.onSleep ? "locks" : "stays unlocked"],
            ["on last logout", settings.onLogout ? "locks" : "as systemd-logind does"],
            ["by default", "only a restart and, with systemd-logind, the last logout lock"],
        ] + (isPasscodeSet ? [] : [["passcode", "not set: nothing locks"]])
    }

    private static func json(_ settings: LockSettings, _ isPasscodeSet: Bool) -> JSONValue {
        .object([
            "idleSeconds": settings.idleSeconds.map { .number(Int64($0)) } ?? .null,
            "timeOfDay": time(settings).map(JSONValue.text) ?? .null,
            "onSleep": .flag(settings.onSleep),
            "onLogout": .flag(settings.onLogout),
            "byDefault": .list([.text("restart"), .text("last logout with systemd-logind")]),
            "passcodeSet": .flag(isPasscodeSet),
        ])
    }

    private static func time(_ settings: LockSettings) -> String? {
        LockTime(minuteOfDay: settings.minuteOfDay).words
    }
}
