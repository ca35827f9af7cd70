import Glibc

/// The session of logind that a process belongs to, by its control group.
///
/// The kernel keeps the control group, and a program of an account without root cannot leave it for
/// another session's. Programs that the account's own systemd starts belong to no session.
/// - Source: sd_pid_get_session(3); systemd's `session-….scope`; elogind's `name=elogind`.
enum LoginSessionOfProcess {
    private static let byteCountLimit = 4096

    /// Returns the session's identifier; nil if there is none.
    static func session(_ processID: Int32) -> String? {
        let descriptor = open("/proc/\(processID)/cgroup", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: byteCountLimit)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0 else { return nil }
        return session(inControlGroups: String(decoding: bytes[..<count], as: UTF8.self))
    }

    /// Reads the lines of `/proc/PID/cgroup`: number, controllers, path.
    static func session(inControlGroups text: String) -> String? {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let parts = fields[2].split(separator: "/")
            if fields[1] == "name=elogind", let id = parts.first, isID(id) { return String(id) }
            // The account's own systemd names its units as the account likes.
            guard !parts.contains(where: { $0.hasPrefix("user@") }) else { continue }
            for part in parts where part.hasPrefix("session-") && part.hasSuffix(".scope") {
                let id = part.dropFirst("session-".count).dropLast(".scope".count)
                if isID(id) { return String(id) }
            }
        }
        return nil
    }

    private static func isID(_ text: Substring) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
            }
    }
}
