import Glibc
import SystemBus

/// The programs of the clients, each looked at when its first call arrives.
///
/// Only the thread that serves the bus uses it.
final class ClientPrograms {
    private var known: [String: String] = [:]

    /// The path of a client's program; nil where the bus or the kernel does not tell.
    func program(of client: String, on bus: borrowing SystemBus) -> String? {
        if let program = known[client] { return program }
        guard let program = ClientName.program(of: bus.process(of: client)) else { return nil }
        known[client] = program
        return program
    }

    func forget(_ client: String) { known[client] = nil }
}

/// What a person is told about a client.
enum ClientName {
    /// The file of a process, such as `/usr/bin/secret-tool`.
    static func of(_ process: Int32?) -> String {
        program(of: process) ?? process.map { "process \($0)" } ?? "a program"
    }

    /// nil where the kernel does not tell it.
    static func program(of process: Int32?) -> String? {
        guard let process else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/\(process)/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { return nil }
        let path = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return path.hasSuffix(replaced) ? String(path.dropLast(replaced.count)) : path
    }

    /// What the kernel appends after an update of the program that runs.
    private static let replaced = " (deleted)"
}
