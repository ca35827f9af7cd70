import CoreFoundation
import Cryptography
import Foundation
import KeychainAuthentication
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainReferences
import KeychainServices
import Secrets

/// What both kinds of private keys are made of.
struct ElementKey: Sendable {
    private let handle: ElementKeyHandle
    let publicKey: PublicKey
    private let context: LAContext?

    /// Makes a key inside the secure element; without a control, one that is used unasked while the
    /// device is unlocked.
    init(_ control: SecAccessControl?, _ context: LAContext?) throws {
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
    init(_ dataRepresentation: some DataProtocol, _ context: LAContext?) throws {
        guard let handle = ElementKeyHandle(decoding: [UInt8](dataRepresentation)) else {
            throw NSError(status: .param, message: "these are not the bytes of such a key")
        }
        _ = try Self.send(.check(handle))
        try self.init(handle, context)
    }

    private init(_ handle: ElementKeyHandle, _ context: LAContext?) throws {
        self.handle = handle
        self.context = context
        publicKey = try PublicKey(
            family: .ellipticCurve,
            externalRepresentation: handle.publicPoint
        )
    }

    /// The key as only this device opens it.
    var dataRepresentation: Data { Data(handle.encoded) }

    /// Uses the key once.
    func use(_ algorithm: SecKeyAlgorithm, _ use: ElementKeyUse) throws -> SharedSecret {
        let reply = try Self.send(
            .use(
                handle,
                algorithm: algorithm.rawValue as String,
                use,
                AuthenticationTerms(context: context?.reference)
            )
        )
        guard case .bytes(let bytes) = reply else {
            let message = "the secure element answered with something else"
            throw NSError(status: .internal, message: message)
        }
        return bytes
    }

    /// Sends a request to where this task's calls go.
    private static func send(_ request: ElementKeyRequest) throws -> ElementKeyReply {
        do throws(KeychainError) {
            return try Connection.endpoint().send(request)
        } catch {
            throw NSError(status: error.status, message: error.reason)
        }
    }

    /// Usable on this device while it is unlocked, and nobody is asked.
    private static func defaultControl() -> SecAccessControl {
        SecAccessControl(
            AccessControl(protection: .whenUnlockedThisDeviceOnly, flags: .privateKeyUsage)
        )
    }
}
