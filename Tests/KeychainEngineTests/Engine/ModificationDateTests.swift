import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// A write that follows another, after the clock was put back in between.
private struct Later: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let first: ItemRequest
    let second: ItemRequest

    init(_ name: String, after first: ItemRequest, _ second: ItemRequest) {
        testDescription = name
        self.first = first
        self.second = second
    }

    private static let synced = password("ada", service: "mail", [.synchronizable: .bool(true)])
    private static let another = ItemRequest.update(synced, with: [.label: .string("another")])

    // ★ Table: whoever has both versions of an item, as another device has, takes the later one.
    static let all = [
        Later("an update", after: another, .update(synced, with: [.label: .string("third")])),
        Later("a delete that leaves a tombstone", after: another, .delete(synced)),
        Later("an add over a tombstone", after: .delete(synced), .add(synced)),
        Later(
            "a move that leaves a tombstone",
            after: another,
            .update(synced, with: [.accessGroup: .string("TEAM.shared")])
        ),
        Later(
            "another access control",
            after: .add(password("bob")),
            .replaceAccessControl(password("bob"), flags: [], protection: .afterFirstUnlock)
        ),
    ]
}

@Suite struct `A modification date` {
    private let fixture: EngineFixture

    init() throws {
        fixture = try .unlocked()
        let item = password("ada", service: "mail", [.synchronizable: .bool(true)])
        #expect(fixture.keychain.add(item) == .success)
    }

    /// The dates of all items and tombstones by their persistent references.
    private func dates() throws -> [[UInt8]: Double] {
        try fixture.inside { state throws(KeychainError) in
            let rows = try state.vault.store.rows(.everything, withSecrets: false)
            var dates: [[UInt8]: Double] = [:]
            for row in rows {
                guard
                    case .date(let date)? = try state.vault.open(row, state.session)?.item[
                        .modificationDate
                    ]
                else {
                    continue
                }
                dates[row.item.columns.reference] = date
            }
            return dates
        }
    }

    @Test(arguments: Later.all)
    fileprivate func `never goes back behind an item or a tombstone, though the clock does`(
        later: Later
    ) throws {
        fixture.clock.advance(seconds: 60)
        #expect(fixture.keychain.status(later.first) == .success)
        let before = try dates()
        let latest = try #require(before.values.max())
        fixture.clock.advance(seconds: -3600)
        #expect(fixture.keychain.status(later.second) == .success)
        let changed = try dates().filter { before[$0.key] != $0.value }
        #expect(!changed.isEmpty)
        #expect(changed.values.allSatisfy { $0 > latest }, "\(changed), \(before)")
    }
}
