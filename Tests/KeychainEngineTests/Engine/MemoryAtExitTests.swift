import EngineTestSupport
import Foundation
import Glibc
import KeychainHost
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// What the last exit handler looks for; it cannot capture anything.
private let wanted = AdaptiveMutex<[CopiedKey]>([])

@Suite struct `The memory of a process that ends` {
    /// In a process of its own: its first exit handler runs last, and looks.
    @Test(.requirement("STO-19"))
    func `holds no class key and no metadata key any more`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            setenv("KEYCHAIN_HOME", home(of: getpid()), 1)
            atexit {
                let left = wanted.withLock { $0.map { $0.occurrences() } }
                try? FileManager.default.removeItem(atPath: home(of: getpid()))
                _exit(left == [0, 0] ? 0 : 20 + Int32(min(left.reduce(0, +), 9)))
            }
            let endpoint = try #require(try RequestRouter.endpoint() as? EngineEndpoint)
            let keychain = TestKeychain(endpoint)
            #expect(keychain.add(password()) == .success)
            #expect(keychain.attributes(password()).count == 1)
            let copies = try endpoint.engine.enter { state throws(KeychainError) in
                let classKey = state.session.device.keybag.keys.withKey(.whenUnlocked) {
                    $0.secret.duplicate()
                }
                let metadataKey = try state.vault.keyring.existingKey(
                    of: .whenUnlocked,
                    device: state.session.device,
                    store: state.vault.store
                )
                return [CopiedKey(classKey), CopiedKey(metadataKey?.secret.secret.duplicate())]
            }
            guard copies.allSatisfy({ $0.occurrences() >= 1 }) else { _exit(11) }
            wanted.withLock { $0 = copies }
            exit(12)
        }
    }

    @Test(.requirement("STO-19"))
    func `refuses what comes after`() throws {
        let fixture = try EngineFixture.unlocked()
        #expect(fixture.keychain.add(password()) == .success)
        fixture.engine.end()
        #expect(fixture.keychain.read(password()) == Reading(.notAvailable, nil))
        #expect(fixture.keychain.add(password("ben")) == .notAvailable)
    }

    @Test(.requirement("STO-19"))
    func `ends also where the thread that ends it is at work with the keychain`() throws {
        let fixture = try EngineFixture.unlocked()
        let isDone = try fixture.inside { _ throws(KeychainError) in
            fixture.engine.end()
            return true
        }
        #expect(isDone)
        #expect(fixture.keychain.add(password()) == .success)
    }
}

private func home(of process: pid_t) -> String {
    FileManager.default.temporaryDirectory.path + "/ends-\(process)"
}
