import Cryptography
import Foundation
import KeychainMessages
import KeychainModel

/// Keys of the secure element that a program stores itself, as handles in a list beside the
/// keychain.
enum TortureHandle {
    private static let name = "/torture-handles"

    /// The class whose first key a verb makes.
    static let laterClass = ProtectionClass.afterFirstUnlock

    /// Makes a key of each class that the keychain has, except one.
    static func makeAll(_ rig: Rig, in directory: String) throws(KeychainError) {
        let isPasscodeSet = try rig.engine().isPasscodeSet
        var handles: [[UInt8]] = []
        for protection in ProtectionClass.allCases
        where protection != laterClass && (isPasscodeSet || !protection.requiresPasscode) {
            handles.append(try make(protection, rig).encoded)
        }
        guard let bytes = try? JSONEncoder().encode(handles) else {
            throw KeychainError(.internal, "handles cannot be listed")
        }
        try ScratchDirectory.write(Array(bytes), to: directory + name)
    }

    static func make(
        _ protection: ProtectionClass,
        _ rig: Rig
    ) throws(KeychainError) -> ElementKeyHandle {
        let key: AttributeDictionary = [
            "class": .string("keys"), "kcls": .number(1), "type": .number(73),
            "bsiz": .number(256), "tkid": .string(ElementKeyHandle.tokenID),
            "pdmn": .string(protection.code),
        ]
        let request = ElementKeyRequest.make(key, isPermanent: false)
        guard case .made(let handle) = try rig.endpoint().send(request) else {
            throw .unexpectedReply
        }
        return handle
    }

    /// Returns a sentence about the state of each key in the list.
    static func sentences(_ rig: Rig, in directory: String) throws(KeychainError) -> [String] {
        guard let bytes = FileManager.default.contents(atPath: directory + name) else { return [] }
        guard let handles = try? JSONDecoder().decode([[UInt8]].self, from: bytes) else {
            throw KeychainError(.internal, "the list of handles is no list")
        }
        return handles.map { sentence(ElementKeyHandle(decoding: $0), rig) }
    }

    static func sentence(_ handle: ElementKeyHandle?, _ rig: Rig) -> String {
        guard let handle else { return "handle is none" }
        let name = "handle \(handle.protection.code)"
        let scheme = KeyScheme.signature(.ecdsa(.sha256, .message, .x962))
        let use = ElementKeyRequest.use(
            handle,
            algorithm: scheme.identifier,
            .sign([1]),
            AuthenticationTerms()
        )
        do throws(KeychainError) {
            guard case .bytes(let signature) = try rig.endpoint().send(use) else {
                throw .unexpectedReply
            }
            return isValid(signature.secret.copyBytesUnprotected(), handle)
                ? "\(name) signs" : "\(name) signs wrongly"
        } catch { return "\(name) fails with \(error.status.rawValue)" }
    }

    private static func isValid(_ signature: [UInt8], _ handle: ElementKeyHandle) -> Bool {
        let key = try? PublicKey(
            family: .ellipticCurve,
            externalRepresentation: handle.publicPoint
        )
        let isValid = try? key?.isValidSignature(
            signature,
            for: [1],
            with: .ecdsa(.sha256, .message, .x962)
        )
        return isValid ?? false
    }
}
