import Cryptography
import KeyRepresentation
import KeychainMessages
import KeychainModel
import SSHAgentProtocol
import Secrets
import StoredKeys

extension SSHKeychain {
    /// Signs with a kept key, after the user has given the proof that its access control requires.
    ///
    /// The private half is read only for this signature, or stays in the secure element.
    ///
    /// - Parameters:
    ///   - order: The order; its key must be an SSH key.
    ///   - hidden: The references of items that clients have removed.
    /// - Returns: The reply with the signature.
    /// - Throws: `errSecItemNotFound` for a key that the keychain does not have,
    ///   `errSecInteractionNotAllowed` while it is locked, and the error of a prompt.
    package func sign(
        _ order: SigningOrder,
        except hidden: Set<[UInt8]> = []
    ) throws(KeychainError) -> AgentReply {
        let hash = try publicKeyHash(order.key)
        // This check comes before any prompt. Usually no item is hidden.
        if !hidden.isEmpty, !hidden.isDisjoint(with: try items(hash)) {
            throw KeychainError(.itemNotFound, "the key was removed from the agent")
        }
        let item: ItemDictionary
        do throws(KeychainError) {
            item = try privateHalf(hash, [QueryKey.Word.interfaceFail])
        } catch  where error.status == .interactionNotAllowed {
            // The keychain is locked, or the key has an access control, so the prompt needs the
            // key's name.
            guard try isUnlocked() else { throw error }
            let reason = try reason(for: order)
            item = try privateHalf(hash, [], reason: reason)
            return try sign(order, with: item, reason: reason)
        }
        if !item.needsUnlocked, try !isUnlocked() {
            throw KeychainError(.interactionNotAllowed, "the keychain is locked")
        }
        // Only a key of the secure element may still cause a prompt.
        let isElementKey = item.attributes[.tokenID] != nil
        return try sign(order, with: item, reason: isElementKey ? reason(for: order) : nil)
    }

    private func sign(
        _ order: SigningOrder,
        with item: ItemDictionary,
        reason: String?
    ) throws(KeychainError) -> AgentReply {
        guard let reference = item.reference.flatMap(KeyReference.init(stored:)),
            reference.isPrivate, reference.publicKey == order.key.key
        else { throw KeychainError(.itemNotFound, "the keychain has no such key") }
        let terms: StoredKey.Terms = {
            var terms = AuthenticationTerms()
            terms.reason = reason
            return terms
        }
        let key = StoredKey(reference, terms: terms, connect: connect)
        let signature = try key.sign(order.data, with: .signature(order.scheme.algorithm))
        return order.reply(signature.secret.copyBytesUnprotected())
    }

    private func privateHalf(
        _ hash: [UInt8],
        _ interface: [String],
        reason: String? = nil
    ) throws(KeychainError) -> ItemDictionary {
        var filter = Self.filter(isPrivate: true)
        filter[.applicationLabel] = .data(hash)
        var query = AttributeDictionary.first(of: filter, returning: [.returnReference])
        query[QueryKey.useOperationPrompt.rawValue] = reason.map(AttributeValue.string)
        if let word = interface.first {
            query[QueryKey.useAuthenticationUI.rawValue] = .string(word)
        }
        let reply = try connect().send(ItemRequest.copyMatching(query))
        guard case .result(.dictionary(let item)) = reply else { throw .unexpectedReply }
        return item
    }

    /// Returns the text of a prompt, with the host and the key.
    ///
    /// The key's name comes last, because it may be long, and a prompt truncates its text.
    private func reason(for order: SigningOrder) throws(KeychainError) -> String {
        let kept = try keptKeys().first { $0.key.hasSameKey(as: order.key) }
        let name = kept.map(\.comment).flatMap { $0.isEmpty ? nil : $0 } ?? order.fingerprint
        let host = order.host.map { " for a session with the host key \($0)," } ?? ""
        let way = order.isForwarded ? " through a forwarded connection," : ""
        return "sign\(host)\(way) with the SSH key \(name)"
    }

    func publicKeyHash(_ key: SSHPublicKey) throws(KeychainError) -> [UInt8] {
        try KeyReference(.publicKey(key.key)).publicKeyHash()
    }
}

extension ItemDictionary {
    /// Whether the item's class is the only reason why it is closed in a locked keychain.
    fileprivate var needsUnlocked: Bool {
        switch attributes[.accessible] {
        case .string(let code)?:
            ProtectionClass(code: code)?.availability == .whenUnlocked
        default: false
        }
    }
}
