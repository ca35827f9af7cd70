import KeychainSimulator
import Observation
import TestSupport
import Testing
import VaultTesting

@testable import Vault

@Suite(.device(app: .twoGroups)) struct `The changes of a vault` {
    let vault = Vault()

    @Test func `name what happened to which item, in order`() async throws {
        let changes = vault.changes
        let shared = Vault(accessGroup: sharedGroup)
        try vault.save("one", in: .token)
        try vault.move(.token, toGroup: sharedGroup)
        try shared.delete(.token)
        try shared.delete(.token)
        try vault.transaction {
            $0.save("1", in: .pin)
            $0.delete(.token)
        }
        let seen = await changes.first(5)
        #expect(seen.map(\.event) == [.saved, .moved, .deleted, .saved, .deleted])
        #expect(seen.map(\.item.description).first == "password api/token")
        #expect(seen.map(\.accessGroup) == [nil, nil, sharedGroup, nil, nil])
    }

    @Test func `leave out what failed and what other code did`() async throws {
        let changes = vault.changes
        try TestDevice.current.device.lock()
        #expect(failure { try vault.save("1", in: .pin) }?.reason == .locked)
        try vault.save("2", in: .token)
        #expect(await changes.first(1).map(\.item) == [Password.token.address])
    }

    @Test func `leave out what the vault keeps for itself`() async throws {
        let changes = vault.changes
        try vault.save("1", in: .token)
        try vault.rotate(.token, to: "2").confirm()
        try vault.transaction { $0.save("3", in: .token) }
        try vault.save("4", in: .pin)
        let names = [Password.token, .token, .token, .pin].map(\.address)
        #expect(await changes.first(4).map(\.item) == names)
    }

    @Test func `of one item are not lost among those of others`() async {
        let center = ChangeCenter()
        let changes = center.changes(of: Password.token.address)
        let events = [Password.token] + (0..<300).map { Password(service: "api", account: "\($0)") }
        events.map { VaultChange(event: .saved, item: $0.address, accessGroup: nil) }
            .forEach(center.post)
        #expect(await changes.first(1).map(\.item) == [Password.token.address])
    }

    @Test func `reach everyone who observes`() async throws {
        let (first, second) = (vault.changes, Vault(accessGroup: sharedGroup).changes)
        try vault.save("1", in: .token)
        let seen = await (first.first(1), second.first(1))
        #expect(seen.0 == seen.1)
    }
}

extension AsyncSequence where Failure == Never {
    /// The first elements.
    fileprivate func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        var iterator = makeAsyncIterator()
        while elements.count < count, let element = await iterator.next(isolation: nil) {
            elements.append(element)
        }
        return elements
    }
}

/// An app's account, as an app declares it.
private struct Account {
    @Stored(.token) var token: Reading<String>
    @Stored(service: "api", account: "visits") var visits: Reading<Int>
    @Stored(.pin) var pin: Reading<String>
}

@Suite(.device()) struct `A stored property` {
    private let account = Account()

    @Test func `is what the item contains now`() throws {
        #expect(account.token == .absent)
        try account.$token.save("t0ken")
        try account.$visits.save(7)
        #expect(account.token == .value("t0ken"))
        #expect(account.visits == .value(7))
        #expect(try account.$visits.read() == 7)
        #expect(try account.$token.delete() == .deleted)
        #expect(account.token == .absent)
    }

    @Test(.requirement("VLT-03")) func `says that the device is locked`() throws {
        try account.$pin.save("1234")
        try TestDevice.current.device.lock()
        guard case .failed(let error) = account.pin else {
            Issue.record("a locked item is \(account.pin)")
            return
        }
        #expect(error.reason == .locked)
        #expect(account.token == .absent)
    }
}

@Suite(.device()) @MainActor struct `A live item` {
    @Test func `tells its observers when another vault changes the item`() async throws {
        let item = LiveItem<String, Password>(.token)
        #expect(item.reading == .absent)
        await withCheckedContinuation { continuation in
            withObservationTracking {
                _ = item.reading
            } onChange: {
                continuation.resume()
            }
            #expect(throws: Never.self) { try Vault().save("t0ken", in: .token) }
        }
        // The object hears of the change on this actor, and so has made it whole by now.
        #expect(item.reading == .value("t0ken"))
    }

    @Test func `saves, deletes and reads again`() throws {
        let item = LiveItem<String, Password>(.pin)
        try item.save("1234")
        #expect(item.reading == .value("1234"))
        let phone = try TestDevice.current
        phone.device.lock()
        item.refresh()
        #expect(item.reading != .absent && item.reading != .value("1234"))
        try phone.device.unlock(passcode: "0000")
        try item.delete()
        #expect(item.reading == .absent)
    }

    @Test func `is released although it follows changes`() async throws {
        var item: LiveItem<String, Password>? = LiveItem(.token)
        weak let left = item
        item = nil
        #expect(left == nil)
    }
}
