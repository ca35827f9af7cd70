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

/// The common implementation of both kinds of private keys.
package struct ElementKey: Sendable {
    private let handle: ElementKeyHandle
    private let key: StoredKey

    package var publicKey: PublicKey { key.reference.publicKey }

    /// Makes a key in the secure element.
    ///
    /// Without an access control, it needs no prompt while the device is unlocked.
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

    /// Restores a key that this device made earlier.
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

    /// The encrypted key, which only this device can open.
    package var dataRepresentation: Data { Data(handle.encoded) }

    /// Returns a signature of the message's SHA-256 digest, in DER.
    package func signature(of message: [UInt8]) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.sign(message, with: .signature(.ecdsa(.sha256, .message, .x962)))
        }
    }

    /// Returns a signature of a digest of any size, in DER.
    package func signature(ofDigest digest: [UInt8]) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.sign(digest, with: .signature(.ecdsaDigest(.x962)))
        }
    }

    /// Returns the X coordinate of the common point.
    package func sharedSecret(with other: PublicKey) throws -> SharedSecret {
        try Self.report { () throws(KeychainError) in
            try key.agree(with: other, by: .exchange(nil, cofactor: false), byteCount: 32)
        }
    }

    /// Sends a request to the endpoint of this task's calls.
    private static func send(_ request: ElementKeyRequest) throws -> ElementKeyReply {
        try report { () throws(KeychainError) in try RequestRouter.endpoint().send(request) }
    }

    /// Converts an error to an object, as uses of a key do.
    private static func report<Value>(
        _ body: () throws(KeychainError) -> Value
    ) throws -> Value {
        do throws(KeychainError) { return try body() } catch {
            throw NSError(elementKeyUse: error)
        }
    }

    /// Returns an access control without prompts, for use on this device while it is unlocked.
    private static func defaultControl() -> SecAccessControl {
        SecAccessControl(
            AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .privateKeyUsage)
        )
    }
}
