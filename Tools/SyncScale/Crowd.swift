import KeychainSockets
import KeychainSync
import PostgreSQLRelay
import SyncRelay
import Synchronization

/// Devices that only wait for a change, as `sync run` does, while others work.
struct Crowd {
    /// The memory that more devices must leave on the machine.
    private static let reserve = 3 << 30
    private static let appendCount = 100

    struct Figures: Sendable {
        let count: Int
        /// Seconds to connect one device.
        let connecting: Spread
        /// Bytes of all server processes.
        let memory: Int
        /// Seconds of an append while the devices wait.
        let append: Spread
        /// Processor seconds of the server for one append.
        let serverTime: Double
        /// Seconds from the start of an append until another device is notified.
        let wake: Spread
    }

    let scene: Scene
    /// The database on which the devices wait; the two active devices use the relay's database.
    let database: Scene.Purpose

    /// Measures each of these numbers of waiting devices, as far as the server and the machine
    /// permit.
    ///
    /// - Returns: The figures, and the reason for an early end; nil if there was none.
    func figures(of counts: [Int]) throws -> ([Figures], end: String?) {
        try awaitQuiet()
        var figures = [try figures(of: [], Spread([]))]
        var relays: [PostgreSQLRelay] = []
        for count in counts {
            Progress.tell("\(count) devices wait in \(database.rawValue)")
            guard MachineLoad.availableMemory > Self.reserve else {
                return (figures, "the machine has no memory for \(count)")
            }
            let more: [PostgreSQLRelay]
            let times: Spread
            do { (more, times) = try connect(count - relays.count) } catch {
                return (figures, "the server does not take \(count): \(ScaleFailure(error))")
            }
            relays += more
            figures.append(try self.figures(of: relays, times))
        }
        return (figures, nil)
    }

    /// Waits until the server processes of an earlier measurement have ended.
    private func awaitQuiet() throws {
        let control = try Database(scene.place(.relay))
        var count = Int.max
        while scene.server.count < count {
            count = scene.server.count
            try control.rows("SELECT pg_sleep(0.5)")
        }
    }

    private func connect(_ count: Int) throws -> ([PostgreSQLRelay], Spread) {
        let place = try scene.place(database)
        let made = Mutex<([PostgreSQLRelay], [Double])>(([], []))
        try scene.turns.run(Array(0..<max(0, count))) { _ in
            let start = ContinuousClock.now
            let relay = try PostgreSQLRelay(place, Self.randomAccount())
            _ = try relay.streams()
            let time = start.duration(to: .now) / .seconds(1)
            made.withLock { made in
                made.0.append(relay)
                made.1.append(time)
            }
        }
        return made.withLock { ($0.0, Spread($0.1)) }
    }

    private static func randomAccount() -> AccountName {
        AccountName(unchecked: (0..<16).map { _ in UInt8.random(in: 0...255) })
    }

    private func figures(of crowd: [PostgreSQLRelay], _ connecting: Spread) throws -> Figures {
        let account = Self.randomAccount()
        let writer = try PostgreSQLRelay(try scene.place(.relay), account)
        let reader = try PostgreSQLRelay(try scene.place(.relay), account)
        let stream = StreamName(unchecked: account.bytes + account.bytes + account.bytes.prefix(8))
        let entry = [UInt8](repeating: 0xA5, count: 1214)
        // The first append connects.
        try writer.append(entry, to: stream, at: 0)
        var times: [Double] = []
        let before = scene.server.time
        for number in 1...Self.appendCount {
            let start = ContinuousClock.now
            try writer.append(entry, to: stream, at: UInt64(number))
            times.append(start.duration(to: .now) / .seconds(1))
        }
        let serverTime = (scene.server.time - before) / Double(Self.appendCount)
        var wakes: [Double] = []
        for number in 1...20 {
            _ = try reader.streams()
            let start = ContinuousClock.now
            try writer.append(entry, to: stream, at: UInt64(Self.appendCount + number))
            guard try reader.waitForChange(upTo: .seconds(30)) else {
                throw ScaleFailure("nobody heard of an entry within 30 s")
            }
            wakes.append(start.duration(to: .now) / .seconds(1))
        }
        return Figures(
            count: crowd.count,
            connecting: connecting,
            memory: scene.server.memory,
            append: Spread(times),
            serverTime: serverTime,
            wake: Spread(wakes)
        )
    }
}

extension Crowd.Figures {
    static let head = [
        "devices that wait", "connecting one, ms", "memory of the server",
        "append, median / p95 / max ms", "CPU of the server for an append",
        "another device hears of it, ms",
    ]

    var row: [String] {
        [
            "\(count)", connecting.count == 0 ? "–" : Words.spread(connecting),
            Words.mebibytes(memory), Words.spread(append),
            Words.milliseconds(serverTime) + " ms", Words.spread(wake),
        ]
    }
}
