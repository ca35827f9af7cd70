import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A way in which both halves of a pair are stored by one call.
private struct PairCall: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Stores the first half, and the second if there is one.
    let request: @Sendable (AttributeDictionary?) -> Request

    private static func half(_ keyClass: Int64, label: String) -> AttributeDictionary {
        var half: AttributeDictionary = .of(.key, [.type: .number(73)])
        half[.keyClass] = .number(keyClass)
        half[.keySizeInBits] = .number(256)
        half[.label] = .string(label)
        return half
    }

    private static var first: AttributeDictionary { half(1, label: "first") }

    /// Does not fit into the pages that are there.
    static var second: AttributeDictionary { half(0, label: String(repeating: "2", count: 9000)) }

    static let all = [
        PairCall(testDescription: "an ordinary pair") { second in
            .items(.addAll([first] + (second.map { [$0] } ?? []), duplicates: .refused))
        },
        PairCall(testDescription: "a pair of the secure element") { second in
            var element = first
            element[.tokenID] = .string(ElementKeyHandle.tokenID)
            return .elementKey(.make(element, isPermanent: true, publicHalf: second))
        },
    ]
}

@Suite struct `A fault of the store between the halves of a pair` {
    private func setLimit(_ fixture: EngineFixture, pageCount: Int64) throws {
        try fixture.execute(["PRAGMA max_page_count = \(pageCount)"])
    }

    private func pageCount(_ fixture: EngineFixture) throws -> Int64 {
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.connection.number("PRAGMA page_count")
        }
    }

    private func rowCount(_ fixture: EngineFixture) throws -> Int64 {
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.connection.number("SELECT COUNT(*) FROM keys")
        }
    }

    @Test(.requirement("KEY-02"), arguments: PairCall.all)
    fileprivate func `leaves nothing of either`(call: PairCall) throws {
        let fixture = try EngineFixture.unlocked()
        // The group and the class have their rows already, as in a keychain that is in use.
        fixture.keychain.add(password())
        try setLimit(fixture, pageCount: try pageCount(fixture))
        let refused = fixture.keychain.status(call.request(PairCall.second))
        #expect(refused != .success)
        #expect(try rowCount(fixture) == 0)
        #expect(try fixture.faults() == [])
        // The first half alone has room: it was the second that failed.
        #expect(fixture.keychain.status(call.request(nil)) == .success)
        #expect(try rowCount(fixture) == 1)
        #expect(fixture.keychain.delete(.of(.key)) == .success)
        try setLimit(fixture, pageCount: 1_000_000)
        #expect(fixture.keychain.status(call.request(PairCall.second)) == .success)
        #expect(try rowCount(fixture) == 2)
        #expect(try fixture.faults() == [])
    }
}
