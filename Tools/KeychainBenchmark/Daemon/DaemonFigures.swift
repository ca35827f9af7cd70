import Foundation
import Glibc
import KeychainHost

/// What calls through a daemon cost beside a floor that is measured in turn, and its memory.
///
/// Clients are processes. The floor is the same bytes echoed by a bare server with a thread for
/// each connection, which receives the credentials of the sender, plus the find in a process that
/// embeds the keychain: with as many clients, and as many threads of that process, at once.
struct DaemonFigures {
    let home: BenchmarkHome
    let itemCount: Int
    let rounds: Int

    private static let clientCounts = [1, 4, 16]
    /// An account may have 64 connections.
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

    /// A new directory whose path leaves room for a socket's name, which has a bound.
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
        // A daemon that nobody has used for five to ten seconds gives memory back.
        sleep(11)
        let before = try daemon.process.kilobytes("VmRSS")
        let own = try daemon.process.kilobytes("RssAnon")
        // What any first call needs is not one connection's: SQLite's connection and its pages.
        let first = try Companion([ChildWork.idle, "1", daemon.socket])
        _ = try first.line()
        let one = try daemon.process.kilobytes("RssAnon")
        let idle = try Companion([
            ChildWork.idle, String(Self.idleCount), daemon.socket,
        ])
        _ = try idle.line()
        // Code that came back from its file is not one connection's.
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

/// Which keychain child processes use.
enum Environment {
    /// Children that are started in the body use the daemon behind a socket.
    static func with<R>(socket: String, _ body: () throws -> R) rethrows -> R {
        setenv("KEYCHAIN_SOCKET", socket, 1)
        defer { useNoDaemon() }
        return try body()
    }

    /// From now on calls of this process and of its children go to their own keychains.
    static func useNoDaemon() { setenv("KEYCHAIN_SOCKET", "", 1) }
}
