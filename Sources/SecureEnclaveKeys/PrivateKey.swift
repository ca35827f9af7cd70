public import Foundation
public import KeychainAuthentication
public import KeychainServices

extension SecureEnclave.P256 {
    /// A private key that never leaves the secure element.
    ///
    /// Its purpose is ``Signing`` or ``KeyAgreement``: a key of one purpose is another type than a
    /// key of the other.
    ///
    /// ```swift
    /// let key = try SecureEnclave.P256.Signing.PrivateKey()
    /// let signature = try key.signature(for: Data("message".utf8))
    /// ```
    public struct PrivateKey<Purpose>: Sendable {
        let key: ElementKey

        /// Creates a key inside the secure element.
        ///
        /// - Parameters:
        ///   - accessControl: the conditions of its use, with `.privateKeyUsage`. Without it, the
        ///     key works while this device is unlocked.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecUnimplemented` if there is no
        ///   secure element, `errSecInteractionNotAllowed` while the class is locked,
        ///   `errSecAuthFailed` without the passcode or enrolment that the key needs.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(accessControl, authenticationContext)
        }

        /// Restores a key that this device created.
        ///
        /// - Parameters:
        ///   - dataRepresentation: the ``dataRepresentation`` of the key.
        ///   - authenticationContext: the context that authenticates the user for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: `errSecParam` for other bytes,
        ///   `errSecDecode` for a key of another device, `errSecUnimplemented` if there is no
        ///   secure element.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The encrypted key, which only this device can open.
        ///
        /// - Source: the format is in Documentation/Spec/item.md, section 8.
        public var dataRepresentation: Data { key.dataRepresentation }

        /// The public half.
        public var publicKey: PublicKey<Purpose> { PublicKey(key.publicKey) }
    }
}
