import Cryptography
import EngineTestSupport
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The bytes of a backup` {
    /// A device with two items, and the backup of both.
    private struct Made {
        let fixture: EngineFixture
        let bytes: [UInt8]

        init() throws {
            fixture = try EngineFixture.unlocked()
            #expect(fixture.keychain.add(password("ada")) == .success)
            #expect(
                fixture.keychain.add(
                    password("bob", [.accessible: .string(.whenUnlockedThisDeviceOnly)])
                ) == .success
            )
            var bytes: [UInt8] = []
            let report = try fixture.engine.backup(
                password: EngineFixture.secret("tape"),
                to: { part throws(KeychainError) in bytes += part }
            )
            #expect(report.itemCount == 2)
            self.bytes = bytes
        }
    }

    private static func restore(
        _ bytes: [UInt8],
        on fixture: EngineFixture,
        password: String = "tape"
    ) -> SecurityStatus {
        var rest = bytes[...]
        do throws(KeychainError) {
            _ = try fixture.engine.restore(
                password: EngineFixture.secret(password),
                from: { count throws(KeychainError) in
                    // A source may give less than it was asked for.
                    let part = Array(rest.prefix(min(count, 100)))
                    rest = rest.dropFirst(part.count)
                    return part
                }
            )
            return .success
        } catch {
            return error.status
        }
    }

    /// Six class keys, 6 to 11: none of the class that needs a passcode.
    @Test(.requirement("ACC-08")) func `are those of the specification`() throws {
        let bytes = try Made().bytes
        #expect(Array(bytes.prefix(8)) == Array("swbackup".utf8))
        #expect(Array(bytes[8..<12]) == [0, 1, 0, 6])
        #expect(bytes[56] == 6 && bytes[97] == 7 && bytes[138] == 8)
        #expect(bytes[179] == 9 && bytes[228] == 10 && bytes[277] == 11)
        #expect(Array(bytes[358..<390]) == (try Digest.sha256(Array(bytes[..<358]))))
        let size = bytes[390..<394].reduce(0) { $0 << 8 | Int($1) }
        #expect(Array(bytes[394..<400]) == Array("genp".utf8) + [6, 0])
        let second = 394 + size + 32
        #expect(Array(bytes[(second + 4)..<(second + 10)]) == Array("genp".utf8) + [9, 0])
        #expect(Array(bytes.suffix(44).prefix(12)) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])
    }

    @Test func `differ in every backup of the same items`() throws {
        let made = try Made()
        var again: [UInt8] = []
        _ = try made.fixture.engine.backup(
            password: EngineFixture.secret("tape"),
            to: { part throws(KeychainError) in again += part }
        )
        #expect(again.count == made.bytes.count)
        #expect(again[28..<44] != made.bytes[28..<44])
        #expect(again[394...].prefix(100) != made.bytes[394...].prefix(100))
    }

    @Test func `are refused when any of them is missing at the end, and nothing changes`() throws {
        let made = try Made()
        let other = try EngineFixture.unlocked()
        let accepted = SpoiledBytes.cut(made.bytes).filter { part in
            Self.restore(part, on: other) != .decode
        }
        #expect(accepted == [])
        #expect(other.keychain.accounts(.of(.genericPassword)) == [])
    }

    @Test(arguments: [true, false])
    func `are refused when any of them is another, and nothing changes`(
        onTheSameDevice isSame: Bool
    ) throws {
        let made = try Made()
        let fixture = isSame ? made.fixture : try EngineFixture.unlocked()
        let all: AttributeDictionary = .of(.genericPassword)
        fixture.keychain.delete(all)
        let accepted = SpoiledBytes.flipped(made.bytes, 1).filter { bytes in
            Self.restore(bytes, on: fixture) != .decode
        }
        #expect(accepted == [])
        #expect(fixture.keychain.accounts(all) == [])
        #expect(Self.restore(made.bytes, on: fixture) == .success)
        #expect(fixture.keychain.accounts(all) == (isSame ? ["ada", "bob"] : ["ada"]))
    }

    @Test func `are refused with more behind them, or records exchanged`() throws {
        let made = try Made()
        let other = try EngineFixture.unlocked()
        #expect(Self.restore(made.bytes + [0], on: other) == .decode)
        let size = made.bytes[390..<394].reduce(0) { $0 << 8 | Int($1) }
        let records = made.bytes[390...].dropLast(44)
        let first = records.prefix(4 + size + 32)
        let second = records.dropFirst(first.count)
        let head = Array(made.bytes.prefix(390))
        let end = Array(made.bytes.suffix(44))
        #expect(Self.restore(head + second + first + end, on: other) == .decode)
        #expect(Self.restore(head + second + end, on: other) == .decode)
        #expect(Self.restore(head + first + end, on: other) == .decode)
        #expect(Self.restore(head + end, on: other) == .decode)
        #expect(other.keychain.accounts(.of(.genericPassword)) == [])
    }

    @Test(.requirement("BAK-12")) func `open for their password alone`() throws {
        let made = try Made()
        let other = try EngineFixture.unlocked()
        #expect(Self.restore(made.bytes, on: other, password: "Tape") == .authFailed)
        #expect(Self.restore(made.bytes, on: other, password: "") == .param)
        #expect(other.keychain.accounts(.of(.genericPassword)) == [])
    }

    @Test(arguments: ["open sesame", "ada", "mail", "TEAM.app"])
    func `show neither values nor attributes`(text: String) throws {
        let bytes = try Made().bytes
        #expect(!bytes.contains(Array(text.utf8)))
    }

    @Test func `leave out rows that are not what was stored, and a finding says so`() throws {
        let fixture = try EngineFixture.unlocked()
        fixture.keychain.add(password("ada"))
        try fixture.inside { state throws(KeychainError) in
            try state.vault.store.connection.execute("UPDATE genp SET secret = zeroblob(100)")
        }
        let report = try fixture.engine.backup(
            password: EngineFixture.secret("tape"),
            to: { _ throws(KeychainError) in }
        )
        #expect(report.itemCount == 0)
        #expect(report.omissions == [.damaged: 1])
        #expect(fixture.findings.all.contains { $0.rule == "damaged-row" })
    }
}
