import Foundation
import Glibc

/// A process as root sees it.
struct AccountProcess {
    let number: pid_t
    /// The path of its program.
    let program: String
    /// Its real, effective, saved and file-system group, then the others that it has.
    let groups: Set<UInt32>
    /// The sockets that it has open.
    let sockets: Set<String>
    /// The files that are mapped.
    let files: Set<String>

    /// The processes of an account that run now.
    static func all(of account: UInt32) throws -> [AccountProcess] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { name in
            guard let number = pid_t(name) else { return nil }
            return AccountProcess(number, of: account)
        }
    }

    /// nil for a process of another account, and for one that has ended.
    private init?(_ number: pid_t, of account: UInt32) {
        let folder = "/proc/\(number)"
        guard let status = try? String(contentsOfFile: folder + "/status", encoding: .utf8),
            Self.numbers("Uid:", in: status).contains(account),
            let program = try? FileManager.default.destinationOfSymbolicLink(
                atPath: folder + "/exe"
            )
        else { return nil }
        self.number = number
        self.program = program
        groups = Set(Self.numbers("Gid:", in: status) + Self.numbers("Groups:", in: status))
        let open = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/fd")) ?? []
        sockets = Set(
            open.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/" + $0)
            }
            .filter { $0.hasPrefix("socket:") }
        )
        let maps = (try? String(contentsOfFile: folder + "/maps", encoding: .utf8)) ?? ""
        files = Set(
            maps.split(separator: "\n").compactMap { line in
                line.firstIndex(of: "/").map { String(line[$0...]) }
            }
        )
    }

    private static func numbers(_ field: String, in status: String) -> [UInt32] {
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
        return line.split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) }
    }
}
