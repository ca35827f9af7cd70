import EngineTestSupport
import Glibc
import KeychainModel
import ModelTestSupport
import Secrets
import TestSupport
import Testing

@testable import DataProtection
@testable import KeychainEngine

/// Bytes that stand nowhere in memory until they are asked for, a pattern for each use.
private enum Planted: UInt8, CaseIterable {
    case value = 3
    case passcode = 7
    case password = 11

    func make() -> Secret {
        Secret(byteCount: 32) { bytes in
            for index in bytes.indices {
                bytes[index] = UInt8(truncatingIfNeeded: index &* 41 &+ 1) &* rawValue ^ 0x6B
            }
        }
    }

    var shared: SharedSecret { SharedSecret(make()) }

    /// How often the bytes stand in memory, this look at them excepted.
    func occurrences() -> Int {
        let copy = make()
        return copy.withUnsafeBytes { MemoryScan.occurrences(of: $0) }
    }
}

/// Copies of keys that stay behind, to look for the ones that should not.
private struct Copies {
    private var keys: [SharedSecret] = []

    mutating func add(_ key: SharedSecret?) {
        if let key { keys.append(SharedSecret(key.secret.duplicate())) }
    }

    var count: Int { keys.count }

    func occurrences() -> [Int] {
        keys.map { key in key.secret.withUnsafeBytes { MemoryScan.occurrences(of: $0) } }
    }
}

@Suite struct `The memory of a locked process, after gated work,` {
    @Test(.requirement("STO-19"))
    func `holds no gated value, passcode or application password`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try Self.gatedFixture()
            func use() throws -> Int {
                let endpoint = fixture.attended(Self.prompter).endpoint
                var item = password().gated([.userPresence, .applicationPassword])
                item[.valueData] = .secret(Planted.value.shared)
                _ = try endpoint.send(.add(item))
                _ = try endpoint.send(
                    .update(password(), with: [.valueData: .secret(Planted.value.shared)])
                )
                var query = password()
                query[.returnData] = .bool(true)
                query[.useAuthenticationContext] = .authentication(
                    ContextReference(
                        session: SessionID(),
                        reuse: .seconds(300),
                        applicationPassword: Planted.password.shared
                    )
                )
                guard case .result(.data(let value)) = try endpoint.send(.copyMatching(query))
                else { exit(2) }
                return value.secret.constantTimeEquals(Planted.value.make())
                    ? Planted.value.occurrences() : 0
            }
            let during = try use()
            guard during >= 1 else { exit(3) }
            try fixture.engine.lock()
            let after = Planted.allCases.map { $0.occurrences() }
            exit(after == [0, 0, 0] ? 0 : Int32(10 + min(after.reduce(0, +), 90)))
        }
    }

    @Test(.requirement("STO-19"))
    func `holds no proof key, gate key or class key`() async {
        await #expect(processExitsWith: .success) {
            let fixture = try Self.gatedFixture()
            let keychain = fixture.attended(Self.prompter)
            let constraint = Constraint.all([
                .factor(.biometry), .factor(.passcode), .factor(.companion),
            ])
            let context = ContextReference(session: SessionID(), reuse: .seconds(300))
            func use() throws -> Copies {
                _ = keychain.add(password().gated([.biometryAny, .and, .devicePasscode]))
                // What a context has proven stays in memory until the device is locked.
                _ = try keychain.endpoint.send(.authenticate(.evaluate(constraint, context)))
                return try fixture.inside { state throws(KeychainError) in
                    var copies = Copies()
                    let now = state.session.environment.instant()
                    let kept = state.session.contexts.proof(of: context, at: now)
                    for factor in [Factor.biometry, .passcode, .companion] {
                        copies.add(kept?.keys[factor])
                    }
                    copies.add(
                        state.session.device.keybag.keys.withKey(.whenUnlocked) {
                            SharedSecret($0.secret.duplicate())
                        }
                    )
                    return copies
                }
            }
            func gateKey(_ copies: inout Copies) throws {
                let row = try fixture.inside { state throws(KeychainError) in
                    try state.vault.store.rows(.everything, withSecrets: true).first
                }
                let gate = row?.item.secret.flatMap(GatedHalf.init)?.gate ?? []
                let key = try fixture.inside { state throws(KeychainError) -> SharedSecret? in
                    let now = state.session.environment.instant()
                    guard let proof = state.session.contexts.proof(of: context, at: now) else {
                        return nil
                    }
                    return try? state.session.device.openGate(gate, with: proof)
                }
                copies.add(key)
            }
            var copies = try use()
            try gateKey(&copies)
            guard copies.count == 5 else { exit(2) }
            let before = copies.occurrences()
            // The gate key itself is gone with the call that opened the gate.
            guard before.prefix(4).allSatisfy({ $0 >= 1 }), before[4] == 0 else { exit(3) }
            try fixture.engine.lock()
            let after = copies.occurrences()
            exit(after.allSatisfy { $0 == 0 } ? 0 : Int32(10 + min(after.reduce(0, +), 90)))
        }
    }

    /// An owned device whose passcode is planted.
    private static func gatedFixture() throws -> EngineFixture {
        let fixture = try EngineFixture(
            passcode: nil,
            surroundings: Surroundings(biometry: .faceID, hasCompanion: true)
        )
        try fixture.engine.enroll(OwnerPrompter.face)
        try fixture.engine.setPasscode(Planted.passcode.shared, current: nil)
        try fixture.engine.unlock(passcode: Planted.passcode.shared)
        return fixture
    }

    private static let prompter = OwnerPrompter(
        passcode: { Planted.passcode.shared },
        password: { Planted.password.shared }
    )
}
