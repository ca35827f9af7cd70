import KeychainModel

/// `set-keychain-settings`.
enum SetKeychainSettings {
    /// Sets all settings of macOS's options, and others only if an option names them.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let idle = try idleSeconds(arguments)
        let time = try arguments[.lockTime].map(LockTime.init)
        let logout = try arguments.choice(.lockOnLogout, "--logout", of: ["yes", "no"])
        let status = try context.status()
        var settings = status.lockSettings
        settings.idleSeconds = idle
        settings.onSleep = arguments.has(.lockOnSleep)
        if let time { settings.minuteOfDay = time.minuteOfDay }
        if let logout { settings.onLogout = logout == "yes" }
        // Any program could weaken the settings, so the daemon requires the passcode for that.
        if status.isPasscodeSet, settings.isWeaker(than: status.lockSettings) {
            try context.provePasscodeToDaemon()
        }
        try context.change(.setLockSettings(settings))
        guard status.isPasscodeSet || settings == LockSettings() else {
            return try context.note(LockKeychain.noPasscode)
        }
    }

    private static func idleSeconds(
        _ arguments: Arguments
    ) throws(CommandFailure) -> UInt32? {
        guard let text = arguments[.idleTime] else {
            guard !arguments.has(.lockWhenIdle) else { throw .usage("option -u needs -t seconds") }
            return nil
        }
        guard let seconds = UInt32(text), seconds > 0 else {
            throw .usage("invalid value for -t: give seconds from 1 to \(UInt32.max)")
        }
        return seconds
    }
}

/// A time of day on a command line, or never.
struct LockTime {
    let minuteOfDay: UInt16?

    init(minuteOfDay: UInt16?) { self.minuteOfDay = minuteOfDay }

    /// Parses the text.
    ///
    /// - Throws: `CommandFailure.usage` unless the text is `HH:MM` or `never`.
    init(_ text: String) throws(CommandFailure) {
        guard text != "never" else {
            minuteOfDay = nil
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (48...57).contains($0) } ? UInt16(part) : nil
        }
        guard parts.map(\.count) == [2, 2], numbers.count == 2, numbers[0] < 24, numbers[1] < 60
        else { throw .usage("invalid value for --at: give a time such as 22:30, or never") }
        minuteOfDay = numbers[0] * 60 + numbers[1]
    }

    /// The time as `HH:MM`; nil for never.
    var words: String? {
        minuteOfDay.map { minute in
            [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
                .joined(separator: ":")
        }
    }
}
