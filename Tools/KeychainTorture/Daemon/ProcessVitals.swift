import Foundation
import Glibc

/// The resources of a process, according to the kernel.
struct ProcessVitals: CustomStringConvertible {
    let threads: Int
    let descriptors: Int
    let kilobytes: Int

    /// Reads the resources; nil if the process has ended.
    ///
    /// - Source: proc_pid_status(5); proc_pid_fd(5).
    init?(_ process: pid_t) {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd"),
            let threads = Self.number("Threads", in: status),
            let kilobytes = Self.number("VmRSS", in: status)
        else { return nil }
        self.threads = threads
        self.kilobytes = kilobytes
        descriptors = names.count
    }

    private static func number(_ name: String, in status: String) -> Int? {
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
        let words = line?.split(whereSeparator: \.isWhitespace) ?? []
        return words.count > 1 ? Int(words[1]) : nil
    }

    var description: String {
        "\(threads) threads, \(descriptors) descriptors, \(kilobytes / 1024) MB"
    }

    /// Returns the children of a process that have a name.
    static func children(of parent: pid_t, named name: String) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { pid_t($0) }.filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                let open = stat.firstIndex(of: "("), let close = stat.lastIndex(of: ")")
            else { return false }
            // The kernel shortens names to 15 bytes.
            let known = stat[stat.index(after: open)..<close]
            let fields = stat[stat.index(after: close)...].split(separator: " ")
            return known == name.prefix(15) && fields.count > 1 && pid_t(fields[1]) == parent
        }
    }
}
