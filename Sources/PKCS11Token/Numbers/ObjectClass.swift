import Cryptography

// ★ Tables: the classes of objects, the types of keys, and related constants.

/// The class of a PKCS #11 object.
package enum ObjectClass: UInt, Sendable, Hashable, CaseIterable {
    case data = 0
    case certificate = 1
    case publicKey = 2
    case privateKey = 3
    case secretKey = 4
}

/// The type of a key.
package enum KeyTypeNumber: UInt, Sendable, Hashable, CaseIterable {
    case rsa = 0x0
    case ellipticCurve = 0x3
    case genericSecret = 0x10
    case aes = 0x1F
    case edwards = 0x40
    case montgomery = 0x41

    init(_ kind: KeyKind) {
        switch kind {
        case .rsa: self = .rsa
        case .ellipticCurve: self = .ellipticCurve
        case .ed25519: self = .edwards
        case .x25519: self = .montgomery
        }
    }

    /// Whether keys of this type are secret keys.
    var isSecret: Bool { self == .genericSecret || self == .aes }
}

/// Flags of the structures that describe slots, tokens, sessions and mechanisms.
package enum Flags {
    package static let tokenPresent: UInt = 1 << 0

    package static let randomNumbers: UInt = 1 << 0
    package static let loginRequired: UInt = 1 << 2
    package static let userPinInitialized: UInt = 1 << 3
    package static let protectedAuthenticationPath: UInt = 1 << 8
    package static let tokenInitialized: UInt = 1 << 10
    package static let userPinCountLow: UInt = 1 << 16
    package static let userPinLocked: UInt = 1 << 18

    package static let readWriteSession: UInt = 1 << 1
    package static let serialSession: UInt = 1 << 2

    package static let encrypt: UInt = 1 << 8
    package static let decrypt: UInt = 1 << 9
    package static let digest: UInt = 1 << 10
    package static let sign: UInt = 1 << 11
    package static let verify: UInt = 1 << 13
    package static let generateKey: UInt = 1 << 15
    package static let generateKeyPair: UInt = 1 << 16
    package static let wrap: UInt = 1 << 17
    package static let unwrap: UInt = 1 << 18
    package static let derive: UInt = 1 << 19
    package static let curveOverPrimeField: UInt = 1 << 20
    package static let namedCurve: UInt = 1 << 23
    package static let uncompressedPoint: UInt = 1 << 24
}

/// The rights of a session in its current state.
package enum SessionState: UInt, Sendable, Hashable {
    case readOnlyPublic = 0
    case readOnlyUser = 1
    case readWritePublic = 2
    case readWriteUser = 3
}
