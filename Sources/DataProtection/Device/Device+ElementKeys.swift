import Cryptography
import Secrets

/// A key created in the secure element: its public half, and its sealed private half.
package struct ElementKey: Sendable, Equatable {
    /// The public point: `04 ‖ X ‖ Y`, 65 bytes.
    package let publicPoint: [UInt8]
    /// The private half under a key of this element: nonce, ciphertext, tag.
    package let sealedPrivateHalf: [UInt8]

    /// Creates the value from both stored halves.
    package init(publicPoint: [UInt8], sealedPrivateHalf: [UInt8]) {
        self.publicPoint = publicPoint
        self.sealedPrivateHalf = sealedPrivateHalf
    }
}

// Keys on P-256 that never leave the secure element in the clear.
//
// The software element stores none of them. It seals the private half under a key that only it can
// derive, and opens it for one use at a time.
extension Device {
    private static let elementKeyContext = "secure element key"

    /// Creates a key.
    ///
    /// - Parameter conditions: The conditions of the key's use; opening it requires the same bytes.
    /// - Returns: The public point, and the private half that only this device opens.
    /// - Throws: The errors of the element, or `cryptography`.
    package func makeElementKey(
        under conditions: [UInt8]
    ) throws(DeviceError) -> ElementKey {
        let wrapping = try element.tangle(salt: keybagUUID, context: Self.elementKeyContext)
        let random = random
        return try rethrow(as: DeviceError.cryptography) { () throws(CryptographyError) in
            let key = try PrivateKey.generate(.ellipticCurve(.p256))
            let point = key.publicKey.externalRepresentation
            let nonce = try random.bytes(AESGCM.nonceByteCount)
            let sealed = try AESGCM.seal(
                try key.externalRepresentation(),
                key: wrapping,
                nonce: nonce,
                authenticating: conditions + point
            )
            return ElementKey(publicPoint: point, sealedPrivateHalf: nonce + sealed)
        }
    }

    /// Opens a key for one use.
    ///
    /// - Throws: `cryptography(.authenticationFailed)` for a key of another device or with other
    ///   conditions; the errors of the element.
    package func withElementKey<R: ~Copyable>(
        _ key: ElementKey,
        under conditions: [UInt8],
        _ body: (PrivateKey) throws(CryptographyError) -> R
    ) throws(DeviceError) -> R {
        let wrapping = try element.tangle(salt: keybagUUID, context: Self.elementKeyContext)
        do throws(CryptographyError) {
            let opened = try AESGCM.open(
                key.sealedPrivateHalf.dropFirst(AESGCM.nonceByteCount),
                key: wrapping,
                nonce: key.sealedPrivateHalf.prefix(AESGCM.nonceByteCount),
                authenticating: conditions + key.publicPoint
            )
            return try body(
                try PrivateKey(family: .ellipticCurve, externalRepresentation: opened)
            )
        } catch {
            throw .cryptography(error)
        }
    }
}
