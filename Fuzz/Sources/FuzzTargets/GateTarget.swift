import Cryptography
import KeychainModel
import Secrets

@testable import DataProtection

extension FuzzTarget {
    /// The gate of a sealed value.
    ///
    /// What is read is written as it was, and asks for no more memory than a file may. Whatever
    /// opens for the fixture's proofs, the input or an edit of the fixture's own gate, gives the
    /// key that was sealed to them, and no other.
    static let gate = FuzzTarget(name: "gate") { bytes throws(BrokenLaw) in
        try GateFixture.shared.checkEdited(by: bytes)
        guard let node = GateNode(decoding: bytes) else { return .refused }
        try require(node.encoded == bytes, "a gate is written as it was read")
        try require(!node.isCostly, "a gate does not choose how much memory is taken")
        try GateFixture.shared.check(bytes)
        return .accepted
    }
}

/// A device with a passcode and a face, a gate that was made on it, and the proofs that open it.
struct GateFixture: Sendable {
    static let shared = GateFixture()

    private let gate: Gate
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
            gate = try device.makeGate(for: .all(parts), password: nil)
            self.proof = proof
        } catch {
            preconditionFailure("The fixture's gate cannot be made: \(error)")
        }
    }

    /// Holds a gate to the law.
    func check(_ bytes: [UInt8]) throws(BrokenLaw) {
        let key = open(bytes)
        let isRight = key.map { $0.secret.constantTimeEquals(gate.key.secret) } ?? true
        try require(isRight, "a gate that opens gives the key that was sealed")
        try require(key != nil || bytes != gate.bytes, "a gate opens for its proofs")
    }

    /// Holds the fixture's gate to the law after an edit: a place and what to change there.
    func checkEdited(by input: [UInt8]) throws(BrokenLaw) {
        var reader = InputReader(input)
        var edited = gate.bytes
        edited[(Int(reader.byte()) << 8 | Int(reader.byte())) % edited.count] ^= reader.byte()
        try check(edited)
    }

    /// The key that a gate releases; nil if it stays shut.
    private func open(_ gate: [UInt8]) -> SharedSecret? {
        let now = DeviceInstant(bootID: [UInt8](repeating: 0xB0, count: 16), uptime: .zero)
        guard let device = try? Self.device(over: storage, creatingWith: nil, at: now) else {
            preconditionFailure("The fixture's device cannot be opened.")
        }
        return try? device.openGate(gate, with: proof)
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
