import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// A device whose owner is enrolled, and which was unlocked.
func ownedDevice(
    _ storage: any DeviceStorage = MemoryStorage(),
    seed: UInt64 = 1
) throws -> Device {
    var device = try openDevice(storage, creatingWith: passcode("1234"), seed: seed)
    try device.enroll(owner)
    _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
    return device
}

/// What the sensor calls the owner.
let owner = [UInt8]("owner".utf8)

/// The proofs that a test can have.
enum Credential: String, Sendable, CaseIterable {
    case passcode, match, companion, password

    func proof(on device: inout Device, passcode text: String = "1234") throws -> Proof {
        switch self {
        case .passcode:
            try device.prove(passcode: DataProtectionTests.passcode(text).secret, at: instant(2))
        case .match: try device.prove(presenting: owner, at: instant(2))
        case .companion: try device.proveCompanion(at: instant(2)) ?? Proof()
        case .password:
            Proof(applicationPassword: DataProtectionTests.passcode("password"))
        }
    }
}

extension Device {
    /// Why a gate does not open; nil if it does, with the right key.
    func refusal(of gate: Gate, with proof: Proof) -> GateError? {
        do throws(GateError) {
            let key = try openGate(gate.bytes, stretchingFor: proof)
            let isRight = key.secret.constantTimeEquals(gate.key.secret)
            #expect(isRight)
            return nil
        } catch {
            return error
        }
    }
}

extension Device {
    /// Makes a gate with a password as it was typed.
    func makeGate(for constraint: Constraint, typed: SharedSecret?) throws -> Gate {
        let settings = try PasswordStretching.new(cost: testCost, random: random)
        let stretched = try typed.map { password throws(DeviceError) in
            try StretchedPassword(stretching: password, by: settings)
        }
        return try makeGate(for: constraint, password: stretched)
    }

    /// Opens a gate, and stretches the password of the proof as often as the gate asks for it.
    func openGate(
        _ bytes: [UInt8],
        stretchingFor proof: Proof
    ) throws(GateError) -> SharedSecret {
        var proof = proof
        while true {
            do throws(GateError) { return try openGate(bytes, with: proof) } catch {
                guard case .unstretched(let settings) = error,
                    let password = proof.keys[.applicationPassword]
                else { throw error }
                do throws(DeviceError) {
                    proof.add(try StretchedPassword(stretching: password, by: settings))
                } catch { throw .device(error) }
            }
        }
    }
}

@Suite struct `A gate` {
    private static let openers: [(Factor, Credential)] = [
        (.passcode, .passcode), (.biometry, .match), (.currentBiometry, .match),
        (.companion, .companion), (.applicationPassword, .password),
    ]

    @Test(arguments: openers, Credential.allCases)
    func `of one factor opens with that one's proof only`(
        opener: (factor: Factor, credential: Credential),
        given: Credential
    ) throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(
            for: .factor(opener.factor),
            typed: passcode("password")
        )
        let proof = try given.proof(on: &device)
        let expected: GateError? = given == opener.credential ? nil : .unproven
        #expect(device.refusal(of: gate, with: proof) == expected)
        #expect(device.refusal(of: gate, with: Proof()) == .unproven)
    }

    private static let parts: [Constraint] = [.factor(.biometry), .factor(.passcode)]

    /// ★ Which credentials open which constraint of two factors or more.
    private static let joined: [(constraint: Constraint, credentials: [Credential], opens: Bool)] =
        [
            (constraint: .any(parts), credentials: [], opens: false),
            (constraint: .any(parts), credentials: [.passcode], opens: true),
            (constraint: .any(parts), credentials: [.match], opens: true),
            (constraint: .any(parts), credentials: [.companion, .password], opens: false),
            (constraint: .all(parts), credentials: [.passcode], opens: false),
            (constraint: .all(parts), credentials: [.match], opens: false),
            (constraint: .all(parts), credentials: [.match, .passcode], opens: true),
            (
                constraint: .all([.any(parts), .factor(.applicationPassword)]),
                credentials: [.match], opens: false
            ),
            (
                constraint: .all([.any(parts), .factor(.applicationPassword)]),
                credentials: [.password], opens: false
            ),
            (
                constraint: .all([.any(parts), .factor(.applicationPassword)]),
                credentials: [.password, .passcode], opens: true
            ),
            (
                constraint: .any([.all(parts), .factor(.companion)]), credentials: [.match],
                opens: false
            ),
            (
                constraint: .any([.all(parts), .factor(.companion)]), credentials: [.companion],
                opens: true
            ),
        ]

    @Test(.requirement("SAC-11", "SAC-12", "SAC-14"), arguments: joined)
    func `of several opens with one of them, or with all`(
        constraint: Constraint,
        credentials: [Credential],
        opens: Bool
    ) throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(for: constraint, typed: passcode("password"))
        let proof = try credentials.reduce(into: Proof()) { proof, credential in
            proof.merge(try credential.proof(on: &device))
        }
        #expect(device.refusal(of: gate, with: proof) == (opens ? nil : .unproven))
    }

    @Test(.requirement("SAC-14"), arguments: ["", "Password", "password ", "passwor"])
    func `of a password refuses every other`(wrong: String) throws {
        let device = try ownedDevice()
        let constraint = Constraint.factor(.applicationPassword)
        let gate = try device.makeGate(for: constraint, typed: passcode("password"))
        let proof = Proof(applicationPassword: passcode(wrong))
        #expect(device.refusal(of: gate, with: proof) == .wrong(.applicationPassword))
    }

    @Test(arguments: [nil, ""] as [String?])
    func `of a password is not made without one`(text: String?) throws {
        let device = try ownedDevice()
        #expect(throws: DeviceError.emptyPasscode) {
            try device.makeGate(for: .factor(.applicationPassword), typed: text.map(passcode))
        }
    }

    @Test(arguments: openers)
    func `opens on no other device`(opener: (factor: Factor, credential: Credential)) throws {
        var device = try ownedDevice()
        var other = try ownedDevice(seed: 2)
        let gate = try device.makeGate(
            for: .factor(opener.factor),
            typed: passcode("password")
        )
        let proof = try opener.credential.proof(on: &other)
        #expect(other.refusal(of: gate, with: proof) == .wrong(opener.factor))
        let own = try opener.credential.proof(on: &device)
        #expect(device.refusal(of: gate, with: own) == nil)
    }

    @Test(arguments: openers)
    func `still opens after the passcode was changed, and after a restart`(
        opener: (factor: Factor, credential: Credential)
    ) throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(
            for: .factor(opener.factor),
            typed: passcode("password")
        )
        _ = try device.setPasscode(
            passcode("5678").secret,
            current: passcode("1234"),
            at: instant(3)
        )
        _ = try device.reboot(at: instant(4, boot: 2))
        _ = try device.unlock(passcode: passcode("5678").secret, at: instant(5, boot: 2))
        let proof: Proof
        switch opener.credential {
        case .passcode:
            proof = try device.prove(passcode: passcode("5678").secret, at: instant(6, boot: 2))
        case .match: proof = try device.prove(presenting: owner, at: instant(6, boot: 2))
        case .companion:
            proof = try device.proveCompanion(at: instant(6, boot: 2)) ?? Proof()
        case .password: proof = Proof(applicationPassword: passcode("password"))
        }
        #expect(device.refusal(of: gate, with: proof) == nil)
    }

    private static let people = openers.filter { $0.0 != .applicationPassword }

    @Test(arguments: people)
    func `never opens again once the passcode was removed`(
        opener: (factor: Factor, credential: Credential)
    ) throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(for: .factor(opener.factor), password: nil)
        let before = try opener.credential.proof(on: &device)
        _ = try device.removePasscode(current: passcode("1234").secret, at: instant(3))
        #expect(throws: DeviceError.passcodeNotSet) {
            try device.prove(passcode: passcode("1234").secret, at: instant(3))
        }
        #expect(throws: DeviceError.self) { try device.prove(presenting: owner, at: instant(3)) }
        #expect(try device.proveCompanion(at: instant(3)) == nil)
        _ = try device.setPasscode(passcode("1234").secret, current: nil, at: instant(4))
        _ = try device.unlock(passcode: passcode("1234").secret, at: instant(5))
        let after = try opener.credential.proof(on: &device)
        #expect(device.refusal(of: gate, with: after) == .wrong(opener.factor))
        // What somebody kept in memory would open it: the device has forgotten it.
        #expect(device.refusal(of: gate, with: before) == nil)
    }

    @Test(arguments: people)
    func `is not made where no passcode is set`(
        opener: (factor: Factor, credential: Credential)
    ) throws {
        let device = try openDevice(MemoryStorage())
        try device.enroll(owner)
        #expect(throws: DeviceError.passcodeNotSet) {
            try device.makeGate(for: .factor(opener.factor), password: nil)
        }
    }

    @Test func `of the current set is not made where nobody is enrolled`() throws {
        let device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
        #expect(throws: DeviceError.biometryUnavailable(.notEnrolled)) {
            try device.makeGate(for: .factor(.currentBiometry), password: nil)
        }
    }

    @Test(.requirement("SAC-09")) func `of the current set ends with it`() throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(for: .factor(.currentBiometry), password: nil)
        let any = try device.makeGate(for: .factor(.biometry), password: nil)
        #expect(try device.isEnrolmentChanged(since: gate.bytes) == false)
        try device.enroll([1])
        #expect(try device.isEnrolmentChanged(since: gate.bytes) == true)
        #expect(try device.isEnrolmentChanged(since: any.bytes) == false)
        try device.removeEnrolment([1])
        #expect(try device.isEnrolmentChanged(since: gate.bytes) == true)
        let proof = try Credential.match.proof(on: &device)
        #expect(device.refusal(of: gate, with: proof) == .wrong(.currentBiometry))
        #expect(device.refusal(of: any, with: proof) == nil)
    }

    @Test func `has another key and other bytes each time`() throws {
        let device = try ownedDevice()
        let gates = try (0..<8).map { _ in
            try device.makeGate(for: .any(Self.parts), password: nil)
        }
        #expect(Set(gates.map(\.bytes)).count == 8)
        let keys = gates.map { $0.key.secret.copyBytesUnprotected() }
        #expect(Set(keys).count == 8)
        #expect(keys.allSatisfy { $0.count == Gate.keyByteCount })
    }

    @Test(.requirement("SAC-37"))
    func `that was changed in any bit but its set's name opens nothing`() throws {
        var device = try ownedDevice()
        let gate = try device.makeGate(for: .factor(.currentBiometry), password: nil)
        let proof = try Credential.match.proof(on: &device)
        // The set's name tells which set it is; the keys do the binding.
        let bits = gate.bytes.indices.filter { !(1..<17).contains($0) }.flatMap { index in
            (0..<8).map { (index, UInt8(1) << $0) }
        }
        let opened = bits.filter { index, bit in
            var changed = gate.bytes
            changed[index] ^= bit
            return device.refusal(of: Gate(bytes: changed, key: gate.key), with: proof) == nil
        }
        #expect(bits.count == (gate.bytes.count - 16) * 8)
        #expect(opened.isEmpty)
    }
}
