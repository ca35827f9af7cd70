import Cryptography
import DataProtection
import EngineTestSupport
import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets

@testable import KeychainEngine

/// A program that keeps handles of the secure element's keys by itself.
struct HandleProgram {
    static let message: [UInt8] = [1, 2, 3]

    let endpoint: EngineEndpoint

    /// The prompter answers for whoever has to be asked; nil where nobody can be.
    init(
        _ engine: Engine,
        groups: [String] = EngineFixture.groups,
        asking prompter: (any Prompter)? = nil
    ) {
        endpoint = EngineEndpoint(
            engine: engine,
            caller: TestKeychain.caller(groups),
            prompter: prompter,
            note: { _ in }
        )
    }

    /// The attributes of a key.
    static func key(
        _ protection: ProtectionClass,
        _ flags: AccessControl.Flags? = nil
    ) -> AttributeDictionary {
        var key: AttributeDictionary = .of(.key, [.type: .number(73), .keyClass: .number(1)])
        key[.keySizeInBits] = .number(256)
        key[.tokenID] = .string(ElementKeyHandle.tokenID)
        guard let flags else {
            key[.accessible] = .string(protection.code)
            return key
        }
        let control = AccessControl(protection: protection, flags: flags)
        key[.accessControl] = .accessControl(control)
        return key
    }

    /// Makes a key; one that is stored is returned as it is used, too.
    func make(
        _ protection: ProtectionClass = .whenUnlockedThisDeviceOnly,
        _ flags: AccessControl.Flags? = nil,
        isPermanent: Bool = false
    ) throws(KeychainError) -> ElementKeyHandle {
        let request = ElementKeyRequest.make(
            Self.key(protection, flags),
            isPermanent: isPermanent
        )
        guard case .made(let handle) = try endpoint.send(request) else { throw .unexpectedReply }
        return handle
    }

    /// The handles of all stored keys.
    func stored() throws(KeychainError) -> [ElementKeyHandle] {
        var key: AttributeDictionary = .of(.key, [.tokenID: .string(ElementKeyHandle.tokenID)])
        key[.returnReference] = .bool(true)
        key[.matchLimit] = .string(.limitAll)
        guard case .result(.array(let found)) = try endpoint.send(.copyMatching(key)) else {
            throw .unexpectedReply
        }
        return found.compactMap { result in
            guard case .reference(let item) = result else { return nil }
            return ElementKeyHandle(decoding: item.data.secret.copyBytesUnprotected())
        }
    }

    /// Signs: success, or why not.
    ///
    /// A signature that does not verify is no success.
    func status(_ handle: ElementKeyHandle) -> SecurityStatus {
        do throws(KeychainError) {
            let scheme = KeyScheme.signature(.ecdsa(.sha256, .message, .x962))
            let request = ElementKeyRequest.use(
                handle,
                algorithm: scheme.identifier,
                .sign(Self.message),
                AuthenticationTerms()
            )
            guard case .bytes(let signature) = try endpoint.send(request) else {
                throw .unexpectedReply
            }
            let bytes = signature.secret.copyBytesUnprotected()
            return Self.isValid(bytes, handle) ? .success : .verifyFailed
        } catch { return error.status }
    }

    /// Signs with bytes that may be no handle at all, which are refused as a parameter.
    func status(_ bytes: [UInt8]) -> SecurityStatus {
        ElementKeyHandle(decoding: bytes).map(status) ?? .param
    }

    /// What a program is told that takes a handle up.
    func checked(_ handle: ElementKeyHandle) -> SecurityStatus {
        TestKeychain(endpoint).status(.elementKey(.check(handle)))
    }

    private static func isValid(_ signature: [UInt8], _ handle: ElementKeyHandle) -> Bool {
        let key = try? PublicKey(
            family: .ellipticCurve,
            externalRepresentation: handle.publicPoint
        )
        let isValid = try? key?.isValidSignature(
            signature,
            for: message,
            with: .ecdsa(.sha256, .message, .x962)
        )
        return isValid ?? false
    }
}

extension EngineFixture {
    /// A handle as earlier programs made it, under the class key itself.
    func earlierHandle(_ protection: ProtectionClass) throws -> ElementKeyHandle {
        try inside { state throws(KeychainError) in
            let conditions = ElementKeyHandle.conditions(protection, nil)
            let made = try fromDevice(try state.session.device.makeElementKey(under: conditions))
            let cipher = state.vault.cipher
            let sealed = try state.session.withClassKey(protection) {
                key throws(CryptographyError) in
                try cipher.seal(
                    Secret(copying: made.sealedPrivateHalf),
                    conditions + made.publicPoint,
                    under: key
                )
            }
            return ElementKeyHandle(
                protection: protection,
                accessControl: nil,
                publicPoint: made.publicPoint,
                keySet: nil,
                sealedPrivateHalf: sealed
            )
        }
    }

    /// How many handle keys the store has.
    func handleKeyCount() throws -> Int {
        try inside { state throws(KeychainError) in try state.vault.store.handleKeys().count }
    }
}
