import Glibc
import SystemBus

/// The programs of the clients, each determined when its first call arrives.
///
/// Only the thread that serves the bus uses it.
final class ClientPrograms {
    private var known: [String: String] = [:]

    /// Returns the path of a client's program; nil if the bus or the kernel does not report it.
    func program(of client: String, on bus: borrowing SystemBus) -> String? {
        if let program = known[client] { return program }
        guard let program = ClientName.program(of: bus.process(of: client)) else { return nil }
        known[client] = program
        return program
    }

    func forget(_ client: String) { known[client] = nil }
}

/// The name of a client for users.
enum ClientName {
    /// Returns the file of a process, such as `/usr/bin/secret-tool`.
    static func of(_ process: Int32?) -> String {
        program(of: process) ?? process.map { "process \($0)" } ?? "a program"
    }

    /// Returns the path of a process's program; nil if the kernel does not report it.
    static func program(of process: Int32?) -> String? {
        guard let process else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/\(process)/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasSuffix(replaced) ? String(path.dropLast(replaced.count)) : path
    }

    /// The suffix that the kernel appends after the running program was replaced.
    private static let replaced = " (deleted)"
}
