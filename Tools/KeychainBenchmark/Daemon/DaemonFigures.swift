import Foundation
import Glibc
import KeychainHost

/// The cost of calls through a daemon, a floor that is measured in turn, and the daemon's memory.
///
/// Clients are processes. The floor has two parts. One is the same bytes through a bare echo server
/// with a thread for each connection, which receives the credentials of the sender. The other is
/// the find in a process that embeds the keychain. Both use as many clients or threads at once.
struct DaemonFigures {
    let home: BenchmarkHome
    let itemCount: Int
    let rounds: Int

    private static let clientCounts = [1, 4, 16]
    /// The limit for an account is 64 connections.
    private static let idleCount = 60

    func figures() throws -> [Figure] {
        let directory = try Self.shortDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        _ = try home.enter(items: itemCount, tellingProgress: false)
        let daemon = try ServedDaemon(in: directory)
        let started = try daemon.process.kilobytes("VmRSS")
        try fill(daemon.socket)
        var figures = try finds(daemon, in: directory)
        figures += try CodecFigures.figures()
        figures += try connecting(daemon.socket, in: directory)
        return figures + (try memory(daemon, started: started))
    }

    /// Makes a directory whose path is short, because the length of a socket's path is limited.
    private static func shortDirectory() throws -> String {
        var path = Array("/tmp/keychain-XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw BenchmarkError("cannot make a directory in /tmp") }
        return String(decoding: path.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private func fill(_ socket: String) throws {
        try Environment.with(socket: socket) {
            _ = try ChildProcess.output(
                "/proc/self/exe",
                [ChildWork.argument, "fill-daemon", String(itemCount)]
            )
        }
    }

    // MARK: Finds

    private func finds(_ daemon: ServedDaemon, in directory: String) throws -> [Figure] {
        let socket = daemon.socket
        let floor = directory + "/echo"
        let inner = directory + "/echo-find"
        let servers = [
            try Companion([ChildWork.echo, "find", "", floor]),
            try Companion([ChildWork.echo, "find", String(itemCount), inner]),
        ]
        for server in servers { _ = try server.line() }
        let most = Self.clientCounts.max() ?? 1
        let clients = try Environment.with(socket: socket) {
            try ClientGroup(.find, most, items: itemCount, at: socket)
        }
        let embedded = try ClientGroup(.find, 1, items: itemCount, at: "")
        let echoes = try ClientGroup(.echo, most, items: itemCount, at: floor)
        let whole = try ClientGroup(.echo, most, items: itemCount, at: inner)
        var figures: [Figure] = []
        for count in Self.clientCounts {
            var series = FindSeries(clientCount: count)
            for round in -1..<rounds {
                let measured = FindSeries.Round(
                    found: try clients.run(count, using: daemon.process),
                    echoed: try echoes.run(count, using: servers[0]),
                    embedded: try embedded.run(1, threads: count),
                    both: try whole.run(count, using: servers[1])
                )
                // The first round fills caches.
                if round >= 0 { series.add(measured) }
            }
            figures += series.figures(itemCount)
        }
        withExtendedLifetime(servers) {}
        return figures
    }

    // MARK: Connections

    private func connecting(_ socket: String, in directory: String) throws -> [Figure] {
        let floor = directory + "/echo-greeting"
        let server = try Companion([ChildWork.echo, "greeting", "", floor])
        _ = try server.line()
        let client = try ClientGroup(.connect, 1, items: itemCount, at: socket)
        let echo = try ClientGroup(.echoConnect, 1, items: itemCount, at: floor)
        var (mine, bare): ([Double], [Double]) = ([], [])
        for round in -1..<rounds {
            let (first, second) = (try client.run(1), try echo.run(1))
            guard round >= 0 else { continue }
            mine += first.calls
            bare += second.calls
        }
        withExtendedLifetime(server) {}
        guard let cost = Samples(mine), let least = Samples(bare) else { return [] }
        return [
            Figure(
                "connect, with evidence, median",
                value: cost.median / 1000,
                unit: .microseconds,
                floor: least.median / 1000
            ),
            Figure(
                "connect, with evidence, 99 of 100",
                value: cost.quantile(0.99) / 1000,
                unit: .microseconds
            ),
        ]
    }

    // MARK: Memory

    private func memory(_ daemon: ServedDaemon, started: Double) throws -> [Figure] {
        // A daemon returns memory to the system if it is not used for five to ten seconds.
        sleep(11)
        let before = try daemon.process.kilobytes("VmRSS")
        let own = try daemon.process.kilobytes("RssAnon")
        // The first call alone needs SQLite's connection and its pages.
        let first = try Companion([ChildWork.idle, "1", daemon.socket])
        _ = try first.line()
        let one = try daemon.process.kilobytes("RssAnon")
        let idle = try Companion([
            ChildWork.idle, String(Self.idleCount), daemon.socket,
        ])
        _ = try idle.line()
        // Code that was read from the program's file again does not count for a connection.
        let during = try daemon.process.kilobytes("RssAnon")
        withExtendedLifetime((first, idle)) {}
        return [
            Figure(
                "daemon's resident memory, started",
                value: started / 1024,
                unit: .megabytes,
                target: .atMost(15, .value)
            ),
            Figure(
                "daemon's resident memory, clients gone",
                itemCount: itemCount,
                value: before / 1024,
                unit: .megabytes,
                target: .atMost(15, .value)
            ),
            Figure(
                "its private part",
                itemCount: itemCount,
                value: own / 1024,
                unit: .megabytes
            ),
            Figure(
                "private memory of an idle connection",
                value: (during - one) / Double(Self.idleCount),
                unit: .kilobytes,
                target: .atMost(64, .value)
            ),
        ]
    }
}

/// The choice of the keychain that child processes use.
enum Environment {
    /// Makes children that the body starts use the daemon at a socket.
    static func with<R>(socket: String, _ body: () throws -> R) rethrows -> R {
        setenv("KEYCHAIN_SOCKET", socket, 1)
        defer { useNoDaemon() }
        return try body()
    }

    /// Makes this process and its children use their own keychains from now on.
    static func useNoDaemon() { setenv("KEYCHAIN_SOCKET", "", 1) }
}
