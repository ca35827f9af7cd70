import CoreFoundation
package import Cryptography
import Foundation
import KeyRepresentation
package import KeychainAuthentication
import KeychainHost
import KeychainMessages
import KeychainModel
package import KeychainServices
package import Secrets
import StoredKeys

/// What both kinds of private keys are made of.
package struct ElementKey: Sendable {
    private let handle: ElementKeyHandle
    private let key: StoredKey

    package var publicKey: PublicKey { key.reference.publicKey }

    /// Makes a key inside the secure element; without a control, one that is used unasked while the
    /// device is unlocked.
    package init(_ control: SecAccessControl?, _ context: LAContext?) throws {
        var attributes = ReferenceExpansion.describing(
            .ellipticCurve(.p256),
            isPrivate: true,
            isExtractable: false,
            in: [:]
        )
        attributes[.tokenID] = .string(ElementKeyHandle.tokenID)
        attributes[.accessControl] = .accessControl((control ?? Self.defaultControl()).value)
        if let context {
            attributes[QueryKey.useAuthenticationContext.rawValue] =
                .authentication(context.reference)
        }
        let reply = try Self.send(.make(attributes, isPermanent: false))
        guard case .made(let handle) = reply else {
            throw NSError(status: .internal, message: "the secure element made no key")
        }
        try self.init(handle, context)
    }

    /// Takes up a key that this device made before.
    package init(_ dataRepresentation: some DataProtocol, _ context: LAContext?) throws {
        guard let handle = ElementKeyHandle(decoding: [UInt8](dataRepresentation)) else {
            throw NSError(status: .param, message: "these are not the bytes of such a key")
        }
        _ = try Self.send(.check(handle))
        try self.init(handle, context)
    }

    private init(_ handle: ElementKeyHandle, _ context: LAContext?) throws {
        self.handle = handle
        let publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: handle.publicPoint
        )
        key = StoredKey(
            KeyReference(.elementKey(handle, publicKey), isExtractable: false),
            terms: { AuthenticationTerms(context: context?.reference) },
            connect: { () throws(KeychainError) in try RequestRouter.endpoint() }
        )
    }

    /// The key as only this device opens it.
    package var dataRepresentation: Data { Data(handle.encoded) }

    /// A signature of the SHA-256 digest, in DER.
    package func signature(of message: [UInt8]) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.sign(message, with: .signature(.ecdsa(.sha256, .message, .x962)))
        }
    }

    /// A signature of a digest of any size, in DER.
    package func signature(ofDigest digest: [UInt8]) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.sign(digest, with: .signature(.ecdsaDigest(.x962)))
        }
    }

    /// The X coordinate of the point on which both agree.
    package func sharedSecret(with other: PublicKey) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.agree(with: other, by: .exchange(nil, cofactor: false), byteCount: 32)
        }
    }

    /// Sends a request to where this task's calls go.
    private static func send(_ request: ElementKeyRequest) throws -> ElementKeyReply {
        try report { () throws(KeychainError) in try RequestRouter.endpoint().send(request) }
    }

    /// Lets an error leave as an object, as the use of a key does.
    private static func report<Value>(
        _ body: () throws(KeychainError) -> Value
    ) throws -> Value {
        do throws(KeychainError) { return try body() } catch {
            throw NSError(elementKeyUse: error)
        }
    }

    /// Usable on this device while it is unlocked, and nobody is asked.
    private static func defaultControl() -> SecAccessControl {
        SecAccessControl(
            AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .privateKeyUsage)
        )
    }
}
