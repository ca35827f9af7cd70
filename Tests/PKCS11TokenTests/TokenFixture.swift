import Cryptography
import EngineTestSupport
import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization

@testable import PKCS11Token

/// A module in front of an engine of the test, with one session.
struct TokenFixture {
    static let group = EngineFixture.groups[0]

    let engine: EngineFixture
    let module: TokenModule
    let session: UInt
    private let requests: Requests

    /// How many requests the module has sent.
    var requestCount: Int { requests.count.withLock(\.self) }

    /// Counts requests: the module finds the keychain anew for each.
    private final class Requests: Sendable {
        let count = Mutex(0)
    }

    /// A keychain, unlocked or not, and what a person types at a prompt; nil for nobody.
    init(
        isUnlocked: Bool = true,
        passcode: String? = EngineFixture.passcode,
        flags: UInt = Flags.serialSession | Flags.readWriteSession,
        asked: String? = nil
    ) throws {
        let engine = try EngineFixture(passcode: passcode)
        self.engine = engine
        if isUnlocked, passcode != nil { try engine.unlock() }
        let source = TokenModule.PasscodeSource(
            isAvailable: { asked != nil },
            ask: { asked.map(EngineFixture.secret) }
        )
        let endpoint = engine.keychain.endpoint
        let requests = Requests()
        self.requests = requests
        module = TokenModule(passcodes: asked == nil ? .nobody : source) {
            () throws(KeychainError) in
            requests.count.withLock { $0 += 1 }
            return endpoint
        }
        session = try module.openSession(slot: 0, flags: flags)
    }

    /// Another program at the same keychain.
    init(beside other: TokenFixture) throws {
        engine = other.engine
        requests = Requests()
        let endpoint = engine.keychain.endpoint
        module = TokenModule { () throws(KeychainError) in endpoint }
        session = try module.openSession(
            slot: 0,
            flags: Flags.serialSession | Flags.readWriteSession
        )
    }

    func lock() throws { _ = try engine.keychain.endpoint.send(DeviceRequest.lock) }

    /// Makes a pair in the token.
    func pair(
        _ mechanism: UInt = 0x1040,
        curve: KeyKind? = .ellipticCurve(.p256),
        identifier: [UInt8] = [7],
        isToken: Bool = true
    ) throws -> (publicKey: UInt, privateKey: UInt) {
        var half: [(AttributeType, [UInt8])] = [
            (.token, Encoding.flag(isToken)), (.identifier, identifier),
            (.label, Array("key".utf8)),
        ]
        let privateTemplate = try Template(half)
        if let curve { half.append((.curveParameters, curve.curveParameters ?? [])) }
        if mechanism == 0 { half.append((.modulusBits, Encoding.number(2048))) }
        return try module.generateKeyPair(
            session,
            MechanismCall(mechanism),
            public: try Template(half),
            private: privateTemplate
        )
    }

    func find(_ rows: [(AttributeType, [UInt8])]) throws -> [UInt] {
        try module.beginSearch(session, try Template(rows))
        defer { try? module.endSearch(session) }
        return try module.nextFound(session, limit: 1000)
    }

    func bytes(_ handle: UInt, _ type: AttributeType) throws -> [UInt8]? {
        switch try module.attributes(session, of: handle, [type])[0] {
        case .bytes(let bytes): bytes
        case .secret(let secret): secret.secret.copyBytesUnprotected()
        case .sensitive, .unknown: nil
        }
    }

    /// Signs a message in one call.
    func sign(
        _ key: UInt,
        _ mechanism: MechanismCall,
        _ message: [UInt8]
    ) throws -> [UInt8] {
        try module.begin(.sign, in: session, mechanism, key: key)
        let output = try message.withUnsafeBytes { bytes in
            try module.finish(.sign, in: session, bytes, capacity: 1024)
        }
        return output.bytes ?? []
    }
}

extension Template {
    /// A template of rows; what is secret is handed over as such.
    init(_ rows: [(AttributeType, [UInt8])]) throws {
        self.init()
        for (type, bytes) in rows {
            try add(
                type,
                AttributeType.secrets.contains(type)
                    ? .secret(SharedSecret(Secret(copying: bytes))) : .bytes(bytes)
            )
        }
    }
}

extension Output {
    var bytes: [UInt8]? {
        if case .bytes(let secret) = self { secret.secret.copyBytesUnprotected() } else { nil }
    }

    var size: Int? {
        switch self {
        case .size(let size), .tooSmall(let size): size
        case .bytes: nil
        }
    }
}
