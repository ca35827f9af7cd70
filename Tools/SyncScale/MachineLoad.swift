import Foundation
import Glibc

/// The processor time and the memory of processes on this machine.
///
/// - Source: getrusage(2), proc(5).
enum MachineLoad {
    /// Processor seconds of this process.
    static var ownTime: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        return [usage.ru_utime, usage.ru_stime].reduce(0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
    }

    /// Bytes of memory of this process.
    static var ownMemory: Int { fact("VmRSS:", in: "/proc/self/status") ?? 0 }

    /// The most bytes of memory that this process ever had.
    static var ownMemoryPeak: Int { fact("VmHWM:", in: "/proc/self/status") ?? 0 }

    /// Bytes that are available to programs.
    static var availableMemory: Int { fact("MemAvailable:", in: "/proc/meminfo") ?? .max }

    /// Returns the value of a line, which the kernel writes in kilobytes, in bytes.
    fileprivate static func fact(_ name: String, in path: String) -> Int? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(name) })
        else { return nil }
        return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 1024 }
    }
}

/// The processes of a server on this machine.
struct ServerProcesses: Sendable {
    private static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
    /// The parent of all server processes.
    private let parent: Int

    init(_ database: Database) throws {
        let backend = try database.number("SELECT pg_backend_pid()")
        guard let parent = Self.fields(of: backend)?.parent else {
            throw ScaleFailure("the server is not on this machine")
        }
        self.parent = parent
    }

    /// Processor seconds of the processes that ended and of those that run.
    var time: Double {
        let ended = Self.fields(of: parent).map { $0.time + $0.endedTime } ?? 0
        return children.reduce(ended) { $0 + (Self.fields(of: $1)?.time ?? 0) }
    }

    /// Bytes of memory of all processes, with a proportional part of shared memory.
    var memory: Int {
        (children + [parent]).reduce(0) {
            $0 + (MachineLoad.fact("Pss:", in: "/proc/\($1)/smaps_rollup") ?? 0)
        }
    }

    var count: Int { children.count }

    private var children: [Int] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int($0) }.filter { Self.fields(of: $0)?.parent == parent }
    }

    private static func fields(
        of process: Int
    ) -> (parent: Int, time: Double, endedTime: Double)? {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return nil }
        // The first field after the name is the third of all.
        let fields = text[end...].split(separator: " ").dropFirst().map { Int($0) ?? 0 }
        guard fields.count > 14 else { return nil }
        let own = Double(fields[11] + fields[12]) / ticksPerSecond
        return (fields[1], own, Double(fields[13] + fields[14]) / ticksPerSecond)
    }
}
