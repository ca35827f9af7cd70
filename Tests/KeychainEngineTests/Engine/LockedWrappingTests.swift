import Cryptography
import EngineTestSupport
import Foundation
import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine
@testable import KeychainHost

/// The keys that a lock takes away, and the keys that a thief of the disk could wrap them under.
///
/// AES key wrap has one result for a key under another: bytes of memory that unwrap to a known key
/// are found by looking for that result.
private struct WrappedKeys {
    let targets: [SharedSecret]
    private let element: SoftwareSecureElement
    private let storage: DirectoryStorage
    private let uuid: [UInt8]
    private let bootID: [UInt8]

    /// Copies the keys of an unlocked engine.
    init(of fixture: EngineFixture, in storage: DirectoryStorage) throws {
        self.storage = storage
        element = SoftwareSecureElement(storage: storage, random: SystemRandomSource())
        bootID = fixture.clock.instant.bootID
        let device = try fixture.inside { state throws(KeychainError) in
            var copies: [SharedSecret] = []
            for protection in ProtectionClass.allCases
            where protection.availability == .whenUnlocked {
                let copy = state.session.device.keybag.keys.withKey(protection) {
                    $0.secret.duplicate()
                }
                if let copy { copies.append(SharedSecret(copy)) }
            }
            if let token = state.session.device.unlockToken {
                for factor in UnlockToken.factors {
                    let key = (try? state.session.device.keybag.release(factor, from: token)) ?? nil
                    if let key { copies.append(key) }
                }
            }
            return (uuid: state.session.device.keybagUUID, copies: copies)
        }
        uuid = device.uuid
        targets = device.copies
    }

    /// What secure element, boot id and the present record of the lock epoch lead to, and more.
    func wrappingKeys(_ more: [SharedSecret] = []) throws -> [SharedSecret] {
        let none = SharedSecret(Secret(copying: []))
        let epoch = try Device.storedEpoch(in: storage)
        let inputs = [none] + (epoch.map { [$0.nonce] } ?? []) + more
        return try inputs.flatMap { input in
            try [uuid, uuid + bootID].flatMap { salt in
                try ["unlock token", "session wrapping"].map { context in
                    SharedSecret(
                        try element.tangle(input.secret, salt: salt, context: context)
                    )
                }
            }
        }
    }

    /// Counts where a target stands in memory, wrapped under one of the keys.
    func occurrences(under wrappingKeys: [SharedSecret]) throws -> Int {
        var count = 0
        for target in targets {
            for key in wrappingKeys {
                var wrapped = try AESKeyWrap.wrap(target.secret, under: key.secret)
                count += wrapped.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
                // What this scan itself leaves is not to be found by the next one.
                wrapped.withUnsafeMutableBytes { bytes in
                    if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
                }
            }
        }
        return count
    }

    /// Counts where a target stands in the clear, this copy excepted.
    func plainOccurrences() -> Int {
        targets.reduce(0) { count, target in
            count + target.secret.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
        }
    }
}

/// Unlocks, locks, and looks at what is left.
///
/// - Returns: 0, or what was found.
private func scan(isEnrolled: Bool) throws -> Int32 {
    let home = try TestHome()
    let storage = try DirectoryStorage(path: home.directory)
    let fixture = try EngineFixture(
        storage: storage,
        session: SharedMemoryStorage(home.environment()),
        tokenLifetime: .untilLock
    )
    try fixture.unlock()
    if isEnrolled {
        try fixture.engine.enroll([1])
        try fixture.engine.lock()
        try fixture.unlock()
    }
    _ = fixture.keychain.add(password())
    let keys = try WrappedKeys(of: fixture, in: storage)
    guard keys.targets.count == (isEnrolled ? 5 : 3) else { return 2 }
    guard keys.plainOccurrences() >= 3 else { return 3 }
    let found = try fixture.inside { state throws(KeychainError) in
        let nonce = state.session.device.epoch?.nonce
        let token = state.session.device.unlockToken?.nonce
        return (
            nonce: CopiedKey(nonce?.secret.duplicate()),
            token: token.map { SharedSecret($0.secret.duplicate()) }
        )
    }
    if let token = found.token {
        // The scan finds what is there.
        guard try keys.occurrences(under: keys.wrappingKeys([token])) >= 2 else { return 4 }
    }
    try fixture.engine.lock()
    guard keys.plainOccurrences() == 0 else { return 5 }
    guard try keys.occurrences(under: keys.wrappingKeys()) == 0 else { return 6 }
    return found.nonce.occurrences() == 0 ? 0 : 7
}

@Suite struct `Once locked, what the disk and the memory hold together` {
    @Test(.requirement("LCK-04"))
    func `opens no key of the classes for "while unlocked"`() async {
        await #expect(processExitsWith: .success) { exit(try scan(isEnrolled: false)) }
    }

    @Test(.requirement("LCK-04"))
    func `opens none with an enrolled finger either, and no proof key`() async {
        await #expect(processExitsWith: .success) { exit(try scan(isEnrolled: true)) }
    }
}
