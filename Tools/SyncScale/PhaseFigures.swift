/// The times of one phase, and the least times for its rows.
struct PhaseFigures: Sendable {
    let name: String
    let wall: Double
    /// Processor seconds of all devices together.
    let ownTime: Double
    /// Processor seconds of the server processes.
    let serverTime: Double
    let turns: Spread
    let content: TraceBook.Content
    let floor: Floor.Figures

    var trace: RelayTrace { content.trace }
    var appendedCount: Int { trace.appended.reduce(0) { $0 + $1.sizes.count } }
    var appendedByteCount: Int { trace.appended.reduce(0) { $0 + $1.byteCount } }
    var readCount: Int { trace.read.reduce(0) { $0 + $1.sizes.count } }
    var readByteCount: Int { trace.read.reduce(0) { $0 + $1.byteCount } }
    /// The number of changes that devices sent and received.
    var changeCount: Int { content.sentCount + content.receivedCount }

    static let head = [
        "phase", "time", "CPU: devices, server", "turns: count, median / p95 / max ms",
        "changes sent, received", "entries appended", "entries read", "libpq alone",
        "times libpq",
    ]

    var row: [String] {
        [
            name, Words.seconds(wall),
            "\(Words.seconds(ownTime)), \(Words.seconds(serverTime))",
            "\(turns.count), \(Words.spread(turns))",
            "\(content.sentCount), \(content.receivedCount)",
            "\(appendedCount), \(Words.mebibytes(appendedByteCount))",
            "\(readCount), \(Words.mebibytes(readByteCount))",
            "\(Words.seconds(floor.insertWall)) + \(Words.seconds(floor.readWall))",
            Words.ratio(wall, floor.wall),
        ]
    }

    static let callHead = [
        "phase", "first call, connects", "list", "read", "append", "trim",
        "libpq: insert", "libpq: read", "relay's calls by libpq's",
    ]

    /// The median, the 95th percentile and the longest time of each call, in milliseconds.
    var callRow: [String] {
        let calls = RelayCall.allCases.map { call in
            let spread = trace.spread(call)
            return spread.count == 0 ? "–" : "\(spread.count): \(Words.spread(spread))"
        }
        // Some reads find nothing, and a pass begins with a listing. Both belong to the relay
        // alone.
        let own = [.append, .read].reduce(0) { $0 + trace.spread($1).total }
        return [name] + calls + [
            Words.spread(floor.inserts), Words.spread(floor.reads),
            Words.ratio(own, floor.callTime),
        ]
    }
}
