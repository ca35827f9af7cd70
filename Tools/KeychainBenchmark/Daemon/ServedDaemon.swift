import Foundation
import Glibc

/// A user daemon for this run, in a directory of the run.
final class ServedDaemon {
    let socket: String
    let process: Companion

    /// Starts the `keychaind` of the same build, and waits until it listens.
    init(in directory: String) throws {
        let program = try Self.program()
        let policies = directory + "/policies"
        try FileManager.default.createDirectory(
            atPath: policies,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try Self.writePolicy(in: policies)
        socket = directory + "/socket"
        process = try Companion(
            program,
            [
                "--user", "--foreground", "--state", directory + "/keychain", "--socket", socket,
                "--policy", policies,
            ],
            endedBy: SIGTERM
        )
        try waitUntilItListens()
    }

    private func waitUntilItListens() throws {
        for _ in 0..<500 {
            if access(socket, F_OK) == 0 { return }
            usleep(10_000)
        }
        throw BenchmarkError("keychaind does not listen at \(socket)")
    }

    /// Writes a policy for this program.
    ///
    /// Without one, the daemon does not trust it, because the account that built it can replace it.
    private static func writePolicy(in directory: String) throws {
        let policy = Policy(
            program: try executable(),
            level: "nobody",
            applicationIdentifier: "keychain-benchmark"
        )
        let path = directory + "/benchmark.json"
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        guard
            FileManager.default.createFile(
                atPath: path,
                contents: try encoder.encode(policy),
                attributes: [.posixPermissions: 0o600]
            )
        else { throw BenchmarkError("cannot write \(path)") }
    }

    private struct Policy: Encodable {
        let program: String
        let level: String
        let applicationIdentifier: String
    }

    private static func program() throws -> String {
        let path = URL(filePath: try executable()).deletingLastPathComponent().path + "/keychaind"
        guard access(path, X_OK) == 0 else {
            throw BenchmarkError("\(path) is missing: `swift build -c release` makes it")
        }
        return path
    }

    private static func executable() throws -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, Int(PATH_MAX))
        guard count > 0 else { throw BenchmarkError("cannot tell where this program is") }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
