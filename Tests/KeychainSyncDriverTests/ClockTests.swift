import EngineTestSupport
import KeychainModel
import KeychainSync
import ModelTestSupport
import SyncRelay
import TestSupport
import Testing

@testable import KeychainSyncDriver

@Suite("Keychains whose clocks are wrong") struct ClockTests {
    let pair: SyncPair

    init() throws { pair = try SyncPair() }

    @Test func `go on when the clock of one was ahead and is right again`() throws {
        let year = 365.0 * 86_400
        pair.first.add("early", "1")
        try pair.settle()
        pair.first.fixture.clock.advance(seconds: year)
        pair.first.add("ada", "1")
        try pair.first.pass()
        pair.first.add("early", "2")
        try pair.first.pass()
        #expect(try pair.second.pass().faults.values.contains(.aheadOfClock))
        pair.first.fixture.clock.advance(seconds: -year)
        let report = try pair.first.pass()
        #expect(report.notices.contains(.clockWasAhead))
        try pair.second.pass()
        #expect(pair.values(["ada", "early"]) == [["1", "2"], ["1", "2"]])
        pair.first.add("ada", "3")
        #expect(try pair.first.pass().notices.isEmpty)
        try pair.settle()
        // The earlier stream is gone from the relay.
        #expect(try pair.second.pass().faults.isEmpty)
        pair.second.add("early", "4")
        try pair.second.pass()
        try pair.settle()
        #expect(pair.values(["ada", "early"]) == [["3", "4"], ["3", "4"]])
        #expect(try pair.first.relay().streams().keys.count == 2)
    }

    private func advance(seconds: Double) {
        pair.first.fixture.clock.advance(seconds: seconds)
        pair.second.fixture.clock.advance(seconds: seconds)
    }

    @Test func `go on when both clocks were ahead`() throws {
        let year = 365.0 * 86_400
        advance(seconds: year)
        pair.first.add("ada", "1")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["1"], ["1"]])
        advance(seconds: -year)
        try pair.settle()
        pair.first.add("ada", "2")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["2"], ["2"]])
    }

    /// A device without a battery for its clock begins in the year 2001.
    @Test func `change nothing when the clock of one is behind`() throws {
        pair.first.add("ada", "1")
        try pair.settle()
        let date = pair.first.fixture.clock.date
        pair.first.fixture.clock.advance(seconds: -date)
        #expect(try pair.first.pass().notices.isEmpty)
        pair.first.add("ada", "2")
        try pair.settle()
        #expect(pair.values(["ada"]) == [["2"], ["2"]])
    }
}
