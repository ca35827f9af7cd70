import EngineTestSupport
import Glibc
import KeychainHost
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

@Suite struct `The memory of a locked process` {
    @Test(.requirement("STO-19"))
    func `holds no class key`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture.unlocked()
            _ = fixture.keychain.add(password())
            _ = fixture.keychain.read(password())
            let copy = try fixture.inside { state throws(KeychainError) in
                CopiedKey(
                    state.session.device.keybag.keys.withKey(.whenUnlocked) {
                        $0.secret.duplicate()
                    }
                )
            }
            let before = copy.occurrences()
            try fixture.engine.lock()
            let after = copy.occurrences()
            exit(before >= 1 && after == 0 ? 0 : Int32(10 + 10 * min(before, 9) + min(after, 9)))
        }
    }

    @Test(.requirement("STO-19"))
    func `holds no metadata key`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture.unlocked()
            _ = fixture.keychain.add(password())
            _ = fixture.keychain.attributes(password())
            let copy = try fixture.inside { state throws(KeychainError) in
                let key = try state.vault.keyring.existingKey(
                    of: .whenUnlocked,
                    device: state.session.device,
                    store: state.vault.store
                )
                return CopiedKey(key?.secret.secret.duplicate())
            }
            let before = copy.occurrences()
            try fixture.engine.lock()
            let after = copy.occurrences()
            exit(before >= 1 && after == 0 ? 0 : Int32(10 + 10 * min(before, 9) + min(after, 9)))
        }
    }

    @Test(.requirement("STO-19"))
    func `holds no value that was added, updated or read`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture.unlocked()
            let endpoint = fixture.keychain.endpoint
            func use() throws -> Int {
                var item = password()
                item[.valueData] = .secret(SharedSecret(MemoryMarker.make()))
                _ = try endpoint.send(.add(item))
                _ = try endpoint.send(
                    .update(
                        password(),
                        with: [.valueData: .secret(SharedSecret(MemoryMarker.make()))]
                    )
                )
                var query = password()
                query[.returnData] = .bool(true)
                guard case .result(.data(let value)) = try endpoint.send(.copyMatching(query))
                else {
                    exit(2)
                }
                return value.secret.constantTimeEquals(MemoryMarker.make())
                    ? MemoryMarker.occurrences() : 0
            }
            let during = try use()
            try fixture.engine.lock()
            let after = MemoryMarker.occurrences()
            exit(during >= 1 && after == 0 ? 0 : Int32(10 + 10 * min(during, 9) + min(after, 9)))
        }
    }

    @Test(.requirement("STO-19"))
    func `holds no passcode`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try EngineFixture(passcode: nil)
            func use() throws {
                try fixture.engine.setPasscode(SharedSecret(MemoryMarker.make()), current: nil)
                try fixture.engine.lock()
                try fixture.engine.unlock(passcode: SharedSecret(MemoryMarker.make()))
            }
            try use()
            let after = MemoryMarker.occurrences()
            exit(after == 0 ? 0 : Int32(10 + min(after, 9)))
        }
    }
}
