import Glibc
import ProgramStart

/// The command `keychainctl lock-keychain` as a separate process, because this one has no keys.
enum LockCommand {
    /// The event, in the command's words.
    enum Event: String {
        case sleep, logout, session
    }

    /// Runs the command to its end; its messages go to standard error.
    ///
    /// - Returns: Whether it ran and succeeded.
    static func run(_ event: Event) -> Bool {
        guard let path = program(), var program = try? plan(path, event).start() else {
            Diagnostics.write("keychainctl cannot be run; install it beside keychain-logind")
            return false
        }
        // A machine that is about to sleep does not wait for ever.
        guard let end = program.wait(upTo: .seconds(60)) else {
            Diagnostics.write("keychainctl did not lock within a minute, and was ended")
            return false
        }
        if end == .exited(0) { return true }
        Diagnostics.write("keychainctl did not lock the keychain, which may still be unlocked")
        return false
    }

    /// Returns the path of keychainctl beside this program.
    private static func program() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + "keychainctl"
    }

    private static func plan(_ path: String, _ event: Event) -> ProgramPlan {
        var plan = ProgramPlan(path, ["lock-keychain", "--when", event.rawValue])
        plan.environment = GivenEnvironment.remainder
        plan.descriptors = [STDOUT_FILENO: STDOUT_FILENO, STDERR_FILENO: STDERR_FILENO]
        plan.farewell = .seconds(1)
        return plan
    }
}

/// Standard error, one line at a time.
enum Diagnostics {
    static func write(_ text: String) {
        let bytes = Array("keychain-logind: \(text)\n".utf8)
        // A failure is ignored, because there is nobody left to tell.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
