import Cryptography
import KeychainModel
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// The gate of a sealed value.
    ///
    /// What is read is written as it was, and asks for no more memory than a file may. Whatever
    /// opens for the fixture's proofs gives the key that was sealed to them, and no other.
    static let gate = FuzzTarget(name: "gate") { bytes throws(BrokenLaw) in
        guard let node = GateNode(decoding: bytes) else { return .refused }
        try require(node.encoded == bytes, "a gate is written as it was read")
        try require(!node.isCostly, "a gate does not choose how much memory is taken")
        let fixture = GateFixture.shared
        if let key = fixture.open(bytes) {
            try require(key == fixture.key, "a gate that opens gives the key that was sealed")
        }
        return .accepted
    }
}

/// A device with a passcode and a face, a gate that was made on it, and the proofs that open it.
struct GateFixture: Sendable {
    static let shared = GateFixture()

    /// The gate's key.
    let key: [UInt8]
    private let storage = MemoryStorage()
    private let proof: Proof

    private init() {
        do throws(DeviceError) {
            let face = [UInt8]("face".utf8)
            let passcode = SharedSecret(Secret(copying: [UInt8]("passcode".utf8)))
            let now = DeviceInstant(bootID: [UInt8](repeating: 0xB0, count: 16), uptime: .zero)
            var device = try Self.device(over: storage, creatingWith: passcode, at: now)
            try device.enroll(face)
            _ = try device.unlock(passcode: passcode.secret, at: now)
            var proof = try device.prove(presenting: face, at: now)
            proof.merge(try device.prove(passcode: passcode.secret, at: now))
            let parts: [Constraint] = [.factor(.currentBiometry), .factor(.passcode)]
            let gate = try device.makeGate(for: .all(parts), password: nil)
            self.proof = proof
            key = gate.key.secret.copyBytesUnprotected()
        } catch {
            preconditionFailure("The fixture's gate cannot be made: \(error)")
        }
    }

    /// The key that a gate releases; nil if it stays shut.
    func open(_ gate: [UInt8]) -> [UInt8]? {
        let now = DeviceInstant(bootID: [UInt8](repeating: 0xB0, count: 16), uptime: .zero)
        guard let device = try? Self.device(over: storage, creatingWith: nil, at: now) else {
            preconditionFailure("The fixture's device cannot be opened.")
        }
        return (try? device.openGate(gate, with: proof))?.secret.copyBytesUnprotected()
    }

    /// The same keys every time, so that gates of the corpus stay valid.
    private static func device(
        over storage: MemoryStorage,
        creatingWith passcode: SharedSecret?,
        at now: DeviceInstant
    ) throws(DeviceError) -> Device {
        let random = SeededRandomSource(seed: 9)
        return try Device(
            opening: storage,
            element: SoftwareSecureElement(storage: storage, random: random),
            creatingWith: passcode,
            stretchingCost: { Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1) },
            random: random,
            at: now
        )
    }
}

extension GateNode {
    /// Whether a password in it is stretched at a cost that a file may not ask for.
    fileprivate var isCostly: Bool {
        switch self {
        case .agreed: false
        case .stretched(_, let cost, _): (try? cost.validate()) == nil
        case .any(let parts), .all(let parts, _): parts.contains(where: \.isCostly)
        }
    }
}
