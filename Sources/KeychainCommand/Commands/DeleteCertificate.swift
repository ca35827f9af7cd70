import KeychainModel

/// `delete-certificate` and `delete-identity`.
struct DeleteCertificate: Sendable {
    /// Whether the command also deletes the private key.
    private let deletesKey: Bool

    init(deletesKey: Bool) { self.deletesKey = deletesKey }

    /// Deletes one certificate; fails if several match.
    @Sendable func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard arguments.has(.certificateName) || arguments.has(.certificateHash) else {
            throw .usage("missing option: -c name or -Z hash")
        }
        let filter = try arguments.attributes(of: OptionTable.deleteCertificate)
        let wanted = try CertificateName(arguments)
        var reach = OutOfReach()
        let matches = try certificates(where: filter, wanted, context, &reach)
        guard let (found, reference) = matches.first else {
            try reach.finish(context, "nothing was deleted")
            throw .keychain(KeychainError(.itemNotFound, "no certificate matches the options"))
        }
        guard matches.count == 1, reach.isEmpty else {
            try reach.tell(context)
            for (match, _) in matches {
                try context.note("note: this matches: \(try match.hashes().sha1) \(match.name)")
            }
            throw .keychain(
                KeychainError(.param, "several certificates match: name one by its hash, with -Z")
            )
        }
        try delete(found, reference, context)
        if arguments.has(.trustSettings) {
            try context.note("note: -t has no effect: there are no trust settings")
        }
        if arguments.has(.json) {
            try context.print(JSONValue.object(try found.json()).page)
        }
        let what = deletesKey ? "identity" : "certificate"
        try context.tell(Page(line: "\(what) has been deleted."))
    }

    private func certificates(
        where filter: AttributeDictionary,
        _ wanted: CertificateName,
        _ context: CommandContext,
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [(FoundCertificate, [UInt8])] {
        let keys: [QueryKey] = [.returnData, .returnPersistentReference]
        let listing = try context.listing(of: .certificate, where: filter, returning: keys)
        for item in listing.outOfReach { reach.add(item) }
        var matches: [(FoundCertificate, [UInt8])] = []
        for item in listing.items {
            guard let reference = item.persistentReference else { throw .unexpectedReply }
            let found = FoundCertificate(item)
            if try wanted.matches(found) { matches.append((found, reference)) }
        }
        return matches
    }

    private func delete(
        _ found: FoundCertificate,
        _ reference: [UInt8],
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard deletesKey else { return try context.delete(.certificate, reference) }
        let nobody = ([:] as AttributeDictionary).askingNobody
        var reach = OutOfReach()
        let identities = try context.identities(
            where: nobody,
            returning: [.returnPersistentReference],
            &reach
        )
        let identity = identities.first {
            FoundCertificate.identity(of: $0.attributes) == found.identity
        }
        guard let identity, let name = identity.persistentReference else {
            try reach.finish(context, "nothing was deleted")
            let reason = "the keychain has no private key of this certificate: delete-certificate"
            throw .keychain(KeychainError(.itemNotFound, reason + " deletes it alone"))
        }
        try context.delete(.identity, name)
    }
}

/// The name of a certificate on a command line: a part of its common name, or its hash.
struct CertificateName {
    private let name: String?
    private let hash: String?

    init(_ arguments: Arguments) throws(CommandFailure) {
        name = arguments[.certificateName]?.lowercased()
        hash = arguments[.certificateHash]?.uppercased().replacing(":", with: "")
        guard let hash else { return }
        guard [40, 64].contains(hash.utf8.count), hash.allSatisfy(\.isHexDigit) else {
            throw .usage("invalid value for -Z: give the 40 digits of SHA-1 or the 64 of SHA-256")
        }
    }

    func matches(_ found: FoundCertificate) throws(CommandFailure) -> Bool {
        if let name {
            guard let commonName = found.certificate?.commonName,
                commonName.lowercased().contains(name)
            else { return false }
        }
        guard let hash else { return true }
        let hashes = try found.hashes()
        return hash == hashes.sha1 || hash == hashes.sha256
    }
}

extension CommandContext {
    /// Deletes the item that a persistent reference names.
    func delete(_ itemClass: ItemClass, _ reference: [UInt8]) throws(CommandFailure) {
        let named: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(itemClass.rawValue),
            QueryKey.valuePersistentReference.rawValue: .data(reference),
        ]
        _ = try send(.delete(named))
    }
}
