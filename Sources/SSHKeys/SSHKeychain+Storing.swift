import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import SSHAgentProtocol
import Secrets

extension SSHKeychain {
    /// Stores both halves of a key, or neither.
    ///
    /// - Parameters:
    ///   - key: The private half.
    ///   - comment: The name for the user.
    ///   - control: The access control for signing; nil if there is none.
    /// - Throws: `errSecDuplicateItem` if the keychain already has the key.
    package func store(
        _ key: PrivateKey,
        comment: String,
        control: AccessControl? = nil
    ) throws(KeychainError) {
        let halves = [
            try ReferenceExpansion.adding(
                KeyReference(.privateKey(key)),
                to: Self.attributes(comment, control)
            ),
            try ReferenceExpansion.adding(
                KeyReference(.publicKey(key.publicKey)),
                to: Self.attributes(comment, nil)
            ),
        ]
        _ = try connect().send(ItemRequest.addAll(halves, duplicates: .refused))
    }

    /// Makes a P-256 key in the secure element, which its private half never leaves.
    ///
    /// - Returns: The public half.
    package func makeElementKey(
        comment: String,
        control: AccessControl? = nil
    ) throws(KeychainError) -> SSHPublicKey {
        var privateHalf = Self.attributes(
            comment,
            control.map {
                AccessControl(protection: $0.protection, flags: $0.flags.union(.privateKeyUsage))
            }
        )
        privateHalf[.tokenID] = .string(ElementKeyHandle.tokenID)
        let request = ElementKeyRequest.make(
            Self.described(privateHalf, isPrivate: true),
            isPermanent: true,
            publicHalf: Self.described(Self.attributes(comment, nil), isPrivate: false)
        )
        guard case .made(let handle) = try connect().send(request),
            let made = KeyReference(handle: handle), let key = SSHPublicKey(made.publicKey)
        else { throw .unexpectedReply }
        return key
    }

    /// Stores the certificate of a key, and replaces an earlier one.
    package func store(certificate: SSHPublicKey) throws(KeychainError) {
        let endpoint = try connect()
        var item = Self.certificateItem(certificate)
        do throws(KeychainError) {
            _ = try endpoint.send(ItemRequest.delete(item))
        } catch  where error.status == .itemNotFound {}
        item[QueryKey.valueData.rawValue] = .secret(
            SharedSecret(Secret(copying: certificate.blob))
        )
        _ = try endpoint.send(ItemRequest.add(item))
    }

    /// Deletes both halves of a key, and its certificate.
    ///
    /// - Throws: `errSecItemNotFound` for a key that the keychain does not have.
    package func delete(_ key: SSHPublicKey) throws(KeychainError) {
        let endpoint = try connect()
        let hash = try publicKeyHash(key)
        for isPrivate in [true, false] {
            var filter = Self.filter(isPrivate: isPrivate)
            filter[.applicationLabel] = .data(hash)
            do throws(KeychainError) {
                _ = try endpoint.send(ItemRequest.delete(filter))
            } catch {
                // The public half may not have been stored.
                guard !isPrivate, error.status == .itemNotFound else { throw error }
            }
        }
        do throws(KeychainError) {
            _ = try endpoint.send(ItemRequest.delete(Self.certificateItem(key)))
        } catch  where error.status == .itemNotFound {}
    }

    private static func certificateItem(_ key: SSHPublicKey) -> AttributeDictionary {
        [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue),
            Attribute.service.rawValue: .string(certificateService),
            Attribute.account.rawValue: .string(key.fingerprint),
        ]
    }

    private static func attributes(
        _ comment: String,
        _ control: AccessControl?
    ) -> AttributeDictionary {
        var attributes: AttributeDictionary = [
            Attribute.applicationTag.rawValue: .data(tag),
            Attribute.label.rawValue: .string(comment),
        ]
        if let control {
            attributes[.accessControl] = .accessControl(control)
        } else {
            attributes[.accessible] = .string(ProtectionClass.whenUnlocked.code)
        }
        return attributes
    }

    private static func described(
        _ attributes: AttributeDictionary,
        isPrivate: Bool
    ) -> AttributeDictionary {
        ReferenceExpansion.describing(
            .ellipticCurve(.p256),
            isPrivate: isPrivate,
            isExtractable: !isPrivate,
            in: attributes
        )
    }
}
