import Glibc

/// `keychainctl lock-keychain`, run as a process of its own: this one has no keys.
enum LockCommand {
    /// What happened, as the command calls it.
    enum Event: String {
        case sleep, logout, session
    }

    /// Runs it to its end; what it has to say goes to standard error.
    ///
    /// - Returns: Whether it could be run and succeeded.
    static func run(_ event: Event) -> Bool {
        var child: pid_t = 0
        guard let program = program(), spawn(program, event, &child) == 0 else {
            Diagnostics.write("keychainctl cannot be run; install it beside keychain-logind")
            return false
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return false } }
        return status == 0
    }

    /// The program beside this one.
    private static func program() -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return path[...slash] + "keychainctl"
    }

    private static func spawn(_ program: String, _ event: Event, _ child: inout pid_t) -> Int32 {
        let words = [program, "lock-keychain", "--when", event.rawValue]
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        return posix_spawn(&child, program, nil, nil, &arguments, environ)
    }
}

/// Standard error, a line at a time.
enum Diagnostics {
    static func write(_ text: String) {
        let bytes = Array("keychain-logind: \(text)\n".utf8)
        // Nobody is left to tell when this fails.
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
