public import Foundation
public import KeychainAuthentication
public import KeychainServices

extension SecureEnclave.P256 {
    /// A key that never leaves the secure element; `Use` says what for.
    public struct PrivateKey<Use>: Sendable {
        let key: ElementKey

        /// Makes a key.
        ///
        /// - Parameters:
        ///   - accessControl: When and by whom it can be used; must hold `.privateKeyUsage` to be
        ///     of use.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: -4 where there is no secure element,
        ///   -25308 while the class is locked, -25293 without the passcode or enrolment it needs.
        public init(
            accessControl: SecAccessControl? = nil,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(
                accessControl ?? ElementKey.defaultControl(),
                authenticationContext
            )
        }

        /// Takes up a key that this device made.
        ///
        /// - Parameters:
        ///   - dataRepresentation: The property of that name.
        ///   - authenticationContext: Answers for its uses.
        /// - Throws: an error of `NSOSStatusErrorDomain`: -50 for other bytes, -26275 for a key of
        ///   another device, -4 where there is no secure element.
        public init(
            dataRepresentation: some DataProtocol,
            authenticationContext: LAContext? = nil
        ) throws {
            key = try ElementKey(dataRepresentation, authenticationContext)
        }

        /// The key as only this device opens it; Documentation/Spec/item.md §8.
        public var dataRepresentation: Data { Data(key.handle.encoded) }

        /// The public half.
        public var publicKey: PublicKey<Use> { PublicKey(key.publicKey) }
    }
}
