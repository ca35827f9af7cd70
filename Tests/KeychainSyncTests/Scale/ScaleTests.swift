import TestSupport
import Testing

@testable import keychain_sync_scale

/// A slice of what `Scripts/sync-scale.sh` runs, with a server of its own: other tests stop theirs.
@Suite(
    "A measurement of scale",
    .enabled(
        if: PostgreSQLServer.programs != nil,
        "PostgreSQL is not installed: sudo apt-get install postgresql"
    ),
    // One of them takes all connections that there are.
    .serialized
)
struct ScaleTests {
    private static let server = Result { try PostgreSQLServer() }

    private func scene() throws -> Scene {
        try Scene(Self.server.get().connection, connectionCount: 3)
    }

    @Test func `brings each device's items to all devices of its account`() throws {
        let fleet = try Fleet(scene(), deviceCount: 5, accountCount: 2)
        #expect(fleet.accounts.map(\.count) == [3, 2])
        let book = TraceBook()
        try fleet.ask(book)
        try fleet.approve(book)
        try fleet.settle(book)
        try fleet.scene.turns.run(fleet.devices) { try $0.add(20) }
        let phase = try fleet.scene.phase("first") { try fleet.settle($0) }
        try fleet.verify(itemCount: 20, versions: [(0, 0), (19, 0)].map(Fleet.Version.init))
        #expect(phase.content.sentCount == 5 * 20)
        #expect(phase.content.receivedCount == 3 * 2 * 20 + 2 * 1 * 20)
        let change = try fleet.scene.phase("change") { try fleet.change(2, round: 1, $0) }
        try fleet.verify(itemCount: 20, versions: [(0, 1), (1, 1), (2, 0)].map(Fleet.Version.init))
        #expect(change.appendedCount == 5)
        #expect(change.floor.inserts.count == change.trace.appended.count)
        #expect(change.floor.reads.count == change.trace.read.count)
    }

    @Test func `notices an item that did not arrive`() throws {
        let fleet = try Fleet(scene(), deviceCount: 2, accountCount: 1)
        let book = TraceBook()
        try fleet.ask(book)
        try fleet.approve(book)
        try fleet.settle(book)
        try fleet.scene.turns.run(fleet.devices) { try $0.add(3) }
        try fleet.settle(book)
        try fleet.verify(itemCount: 3, versions: [(0, 0)].map(Fleet.Version.init))
        try fleet.scene.turns.run(fleet.devices) { try $0.change(1, round: 1) }
        #expect(throws: ScaleFailure.self) {
            try fleet.verify(itemCount: 3, versions: [(0, 1)].map(Fleet.Version.init))
        }
    }

    @Test func `changes items until the relay has only checkpoints`() throws {
        let fleet = try Fleet(scene(), deviceCount: 2, accountCount: 1)
        let book = TraceBook()
        try fleet.ask(book)
        try fleet.approve(book)
        try fleet.settle(book)
        try fleet.scene.turns.run(fleet.devices) { try $0.add(2) }
        try fleet.settle(book)
        let phase = try fleet.scene.phase("checkpoints") {
            _ = try fleet.changeUntilTrimmed(2, from: 1, $0)
        }
        let database = try Database(fleet.scene.place(.relay))
        let left = try TableFacts.entries(of: fleet.names(), database)
        #expect(phase.appendedCount > 2 * 60)
        #expect(left.count < 20)
    }

    @Test func `lets devices wait while another one appends`() throws {
        let crowd = Crowd(scene: try scene(), database: .relay)
        let (figures, end) = try crowd.figures(of: [2, 5])
        #expect(figures.map(\.count) == [0, 2, 5])
        #expect(figures.last?.connecting.count == 3)
        #expect(figures.allSatisfy { $0.wake.count == 20 && $0.append.count == 100 })
        #expect(end == nil)
    }

    @Test func `says where a server takes no more connections`() throws {
        let crowd = Crowd(scene: try scene(), database: .crowd)
        let (figures, end) = try crowd.figures(of: [2, 500])
        #expect(figures.map(\.count) == [0, 2])
        #expect(end?.contains("500") == true)
    }

    @Test func `finds that an account's queries touch one partition`() throws {
        let filled = try FilledDatabase(scene(), sampleCount: 3)
        let figures = try filled.figures(of: [10, 3000])
        #expect(figures.map(\.facts.streamCount) == [30, 9000])
        let last = try #require(figures.last)
        #expect(last.facts.entryCount == 9000 + 2 * 2 * 3)
        #expect([last.list, last.read, last.append].map(\.count) == [3, 3, 3])
        #expect(last.plans.map(\.partitions.count) == [1, 1])
        #expect(last.plans[1].indexes.count == 1)
        #expect(last.plans[1].pageCount < 20)
    }

    @Test func `reports every part`() throws {
        var options = ScaleOptions()
        options.server = try Self.server.get().connection
        options.deviceCount = 3
        options.accountCount = 1
        options.itemCount = 4
        options.checkpointAccountCount = 0
        options.connectionCount = 2
        options.changeCount = 1
        options.circles = [2]
        options.circleItemCount = 1
        options.crowds = []
        options.filled = [10]
        options.sampleCount = 1
        let report = Report()
        try ScaleRun(options: options) { report.add($0) }.run()
        let words = ["3 devices of 1 accounts", "One circle of 2", "Rows of many accounts"]
        #expect(words.allSatisfy { report.text.contains($0) })
    }
}

/// What does not need a server.
@Suite("The command of a measurement of scale") struct ScaleCommandTests {
    @Test func `takes counts and lists`() throws {
        let words = ["host=/x", "--devices", "9", "--accounts", "3", "--circles", "2,5"]
        let options = try #require(ScaleOptions(words + ["--crowds", "-"]))
        #expect(options.server == "host=/x")
        #expect(options.deviceCount == 9)
        #expect(options.accountCount == 3)
        #expect(options.circles == [2, 5])
        #expect(options.crowds == [])
        #expect(options.itemCount == 1000)
    }

    @Test(
        arguments: [
            [], ["--devices", "3"], ["host=/x", "--devices"], ["host=/x", "--devices", "many"],
            ["host=/x", "--items", "-1"], ["host=/x", "--circles", "5,2"],
            ["host=/x", "--circles", "0"], ["host=/x", "--unknown", "1"],
            ["host=/x", "--devices", "2", "--accounts", "3"], ["host=/x", "--connections", "0"],
        ]
    )
    func `refuses what it does not know`(words: [String]) { #expect(ScaleOptions(words) == nil) }

    @Test func `shows the middle and the end of a spread`() {
        let spread = Spread((1...100).map(Double.init).shuffled())
        #expect([spread.median, spread.high, spread.most] == [51, 96, 100])
        #expect(Spread([]).most == 0)
    }

    @Test(
        arguments: [
            (1234.4, "1234"), (99.95, "100.0"), (12.34, "12.3"), (1.234, "1.23"), (0.0123, "0.012"),
        ]
    )
    func `shows numbers short`(value: Double, text: String) { #expect(Words.number(value) == text) }
}
