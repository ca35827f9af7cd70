import EngineTestSupport
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// A verb that has a secret pass through the process, which is the marker.
private struct SecretVerb: Sendable {
    let name: String
    let run: @Sendable (EngineFixture) throws -> Void

    private static func marked(_ account: String) -> AttributeDictionary {
        var item = password(account)
        item[.valueData] = .secret(SharedSecret(MemoryMarker.make()))
        return item
    }

    private static func send(_ request: ItemRequest, _ fixture: EngineFixture) throws {
        _ = try fixture.keychain.endpoint.send(request)
    }

    /// Finds it, looks at it, and lets it go.
    private static func find(_ fixture: EngineFixture, _ more: [String: AttributeValue]) throws {
        let reply = try fixture.keychain.endpoint.send(.copyMatching(password("ada", more)))
        guard case .result(let result) = reply else { exit(3) }
        if case .data(let value) = result,
            !value.secret.constantTimeEquals(MemoryMarker.make())
        {
            exit(4)
        }
    }

    private static func backup(_ fixture: EngineFixture) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try fixture.engine.backup(
            password: SharedSecret(MemoryMarker.make()),
            to: { part throws(KeychainError) in bytes += part }
        )
        return bytes
    }

    private static func restore(_ bytes: [UInt8], _ fixture: EngineFixture) throws {
        var rest = bytes[...]
        _ = try fixture.engine.restore(
            password: SharedSecret(MemoryMarker.make()),
            from: { count throws(KeychainError) in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            }
        )
    }

    // ★ Table: in this order, on one keychain that is unlocked before each.
    static let all: [SecretVerb] = [
        SecretVerb(name: "add") { try send(.add(marked("ada")), $0) },
        SecretVerb(name: "add a duplicate") { fixture in
            if failure(of: { try send(.add(marked("ada")), fixture) }) == nil { exit(5) }
        },
        SecretVerb(name: "add several") {
            try send(.addAll([marked("one"), marked("two")], duplicates: .refused), $0)
        },
        SecretVerb(name: "find data") { try find($0, [.returnData: .bool(true)]) },
        SecretVerb(name: "find data of all") {
            try find($0, [.returnData: .bool(true), .matchLimit: .string(.limitAll)])
        },
        SecretVerb(name: "update") { fixture in
            let change: AttributeDictionary = [.valueData: marked("ada")[.valueData] ?? .null]
            try send(.update(password("ada"), with: change), fixture)
        },
        SecretVerb(name: "update attributes") { fixture in
            try send(.update(password("ada"), with: [.label: .string("label")]), fixture)
        },
        SecretVerb(name: "check") { _ = try $0.engine.check() },
        SecretVerb(name: "back up and restore") { fixture in
            let bytes = try backup(fixture)
            try send(.delete(password("ada")), fixture)
            try restore(bytes, fixture)
        },
        SecretVerb(name: "change the passcode and back") { fixture in
            let old = EngineFixture.secret(EngineFixture.passcode)
            let new = SharedSecret(MemoryMarker.make())
            try fixture.engine.setPasscode(new, current: old)
            try fixture.engine.setPasscode(old, current: new)
        },
        SecretVerb(name: "try a wrong passcode") { fixture in
            let wrong = SharedSecret(MemoryMarker.make())
            if failure(of: { try fixture.engine.unlock(passcode: wrong) }) == nil { exit(6) }
        },
        SecretVerb(name: "delete") { try send(.delete(password("ada")), $0) },
    ]
}

@Suite struct `The memory of a process after each verb` {
    /// The exit status names the verb: 10 and its number for a value, 50 and it for a class key.
    @Test(.requirement("STO-19"))
    func `holds no value, while unlocked or locked, and no class key once locked`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture.unlocked()
            let key = try fixture.inside { state throws(KeychainError) in
                CopiedKey(
                    state.session.device.keybag.keys.withKey(.whenUnlocked) {
                        $0.secret.duplicate()
                    }
                )
            }
            guard key.occurrences() >= 1 else { exit(2) }
            for (number, verb) in SecretVerb.all.enumerated() {
                try fixture.unlock()
                try verb.run(fixture)
                let unlocked = MemoryMarker.occurrences()
                try fixture.engine.lock()
                let locked = MemoryMarker.occurrences()
                guard unlocked == 0, locked == 0 else { exit(Int32(10 + number)) }
                guard key.occurrences() == 0 else { exit(Int32(50 + number)) }
            }
            exit(0)
        }
    }

    @Test(.requirement("STO-19"))
    func `holds a value as long as somebody has it, which shows that the scan finds it`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture.unlocked()
            var item = password()
            item[.valueData] = .secret(SharedSecret(MemoryMarker.make()))
            _ = try fixture.keychain.endpoint.send(.add(item))
            item[.valueData] = nil
            item[.returnData] = .bool(true)
            let reply = try fixture.keychain.endpoint.send(.copyMatching(item))
            let during = withExtendedLifetime(reply) { MemoryMarker.occurrences() }
            exit(during >= 1 ? 0 : 2)
        }
    }
}
