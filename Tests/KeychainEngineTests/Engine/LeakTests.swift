import EngineTestSupport
import KeychainMessages
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

/// Words that stand nowhere but in one attribute of one item.
private enum Marker: String, CaseIterable {
    case secret = "marker-of-the-value"
    case account = "marker-of-the-account"
    case service = "marker-of-the-service"
    case server = "marker-of-the-server"
    case path = "marker-of-the-path"
    case label = "marker-of-the-label"
    case comment = "marker-of-the-comment"
    case description = "marker-of-the-description"
    case generic = "marker-of-the-generic"
    case group = "marker-of-the-group"
    case passcode = "marker-of-the-passcode"

    static let common: [String: AttributeValue] = [
        .account: .string(account.rawValue),
        .label: .string(label.rawValue),
        .comment: .string(comment.rawValue),
        .description: .string(description.rawValue),
        .accessGroup: .string(group.rawValue),
    ]

    static func item(_ itemClass: ItemClass) -> AttributeDictionary {
        var item: AttributeDictionary = [.itemClass: .string(itemClass.rawValue)]
        for (key, value) in common { item[key] = value }
        if itemClass == .genericPassword {
            item[.service] = .string(service.rawValue)
            item[.generic] = .data(Array(generic.rawValue.utf8))
        } else {
            item[.server] = .string(server.rawValue)
            item[.path] = .string(path.rawValue)
        }
        return item
    }
}

@Suite struct `A keychain's files` {
    private func expectNoMarker(in home: TestHome, _ when: String) throws {
        let files = try home.files()
        #expect(files.count >= 3)
        for (path, bytes) in files {
            for marker in Marker.allCases {
                let found = firstIndex(of: Array(marker.rawValue.utf8), in: bytes)
                #expect(found == nil, "\(marker) in \(path), \(when)")
            }
        }
    }

    @Test(.requirement("STO-01"))
    func `show no value and no attribute of any item`() throws {
        let home = try TestHome()
        let keychain = try home.open([Marker.group.rawValue])
        let engine = keychain.endpoint.engine
        let passcode = EngineFixture.secret(Marker.passcode.rawValue)
        try engine.setPasscode(passcode, current: nil)
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            let item = Marker.item(itemClass)
            #expect(keychain.add(item, Marker.secret.rawValue) == .success)
            #expect(keychain.read(item) == .value(Marker.secret.rawValue))
            #expect(keychain.update(item, "x" + Marker.secret.rawValue) == .success)
        }
        try expectNoMarker(in: home, "after writes, with the log")
        try engine.lock()
        try engine.unlock(passcode: passcode)
        try expectNoMarker(in: home, "with a shared session")
        #expect(keychain.delete(.of(.internetPassword)) == .success)
        try expectNoMarker(in: home, "after a delete")
        #expect(keychain.read(Marker.item(.genericPassword)).value == "x" + Marker.secret.rawValue)
    }
}

@Suite struct `Findings and errors` {
    private static let requests: [@Sendable (AttributeDictionary) -> ItemRequest] = [
        { .add($0) },
        { .copyMatching($0) },
        { .update($0, with: $0) },
        { .update(password(), with: $0) },
        { .delete($0) },
    ]

    /// Dictionaries that are refused, each for another reason.
    private static let spoilings: [[String: AttributeValue]] = [
        [:],
        [.itemClass: .string(Marker.secret.rawValue)],
        [.itemClass: .unsupported(typeName: "Thing")],
        [.account: .array([.string(Marker.secret.rawValue)])],
        [.label: .null],
        [.accessible: .string(Marker.secret.rawValue)],
        [.synchronizable: .string(Marker.secret.rawValue)],
        [.creator: .data(Array(Marker.secret.rawValue.utf8))],
        [.matchLimit: .string(Marker.secret.rawValue)],
        [.valuePersistentReference: .data(Array(Marker.secret.rawValue.utf8))],
        [.valueData: .string(Marker.secret.rawValue)],
        [.returnData: .string(Marker.secret.rawValue)],
        [.server: .string(Marker.secret.rawValue)],
        ["nope": .string(Marker.secret.rawValue)],
    ]

    @Test(.requirement("STO-18"), arguments: [false, true])
    func `name no value that a caller passed`(isLocked: Bool) throws {
        let fixture = try EngineFixture.unlocked()
        let endpoint = fixture.keychain.endpoint
        var said: [String] = []
        if isLocked { try fixture.engine.lock() }
        for request in Self.requests {
            for spoiling in Self.spoilings {
                var item = Marker.item(.genericPassword)
                item[.accessGroup] = nil
                item[.valueData] = .secret(EngineFixture.secret(Marker.secret.rawValue))
                for (key, value) in spoiling { item[key] = value }
                do throws(KeychainError) {
                    let reply = try endpoint.send(request(item))
                    said.append(String(describing: reply))
                } catch {
                    said.append(error.description + error.reason + "\(error)")
                }
            }
        }
        said += fixture.findings.all.map { $0.description + "\($0)" }
        #expect(said.count > 100)
        let told = Marker.allCases.filter { marker in
            said.contains { $0.contains(marker.rawValue) }
        }
        #expect(told == [])
    }

    @Test(.requirement("STO-18"))
    func `name no passcode`() throws {
        let fixture = try EngineFixture.unlocked()
        let wrong = EngineFixture.secret(Marker.passcode.rawValue)
        let error = #expect(throws: KeychainError.self) {
            try fixture.engine.unlock(passcode: wrong)
        }
        #expect(try !#require(error).description.contains(Marker.passcode.rawValue))
        #expect(!"\(wrong)".contains(Marker.passcode.rawValue))
        #expect(!String(reflecting: wrong).contains(Marker.passcode.rawValue))
    }
}
