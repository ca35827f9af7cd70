import KeychainModel

/// `find-certificate`.
enum FindCertificate {
    /// Shows the first certificate that matches, or all of them.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let filter = try arguments.attributes(of: OptionTable.findCertificate)
        var reach = OutOfReach()
        var found = try context.certificates(where: filter, &reach)
            .filter { matches($0, arguments) }
        guard !found.isEmpty || !reach.isEmpty else {
            throw .keychain(KeychainError(.itemNotFound, "no certificate matches the options"))
        }
        if !arguments.has(.all) { found = Array(found.prefix(1)) }
        if arguments.has(.json) {
            try context.print(json(found, reach, arguments))
        } else {
            try print(found, arguments, context)
        }
        try reach.finish(context)
    }

    private static func json(
        _ found: [FoundCertificate],
        _ reach: OutOfReach,
        _ arguments: Arguments
    ) throws(CommandFailure) -> Page {
        var objects: [JSONValue] = []
        for certificate in found {
            var members = try certificate.json()
            if arguments.has(.pem) { members["pem"] = .text(certificate.pem) }
            objects.append(.object(members))
        }
        return JSONValue.list(objects + reach.items.map(\.json)).page
    }

    private static func print(
        _ found: [FoundCertificate],
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        let dump = arguments.has(.pem) ? nil : ItemDump(location: try context.location())
        for certificate in found {
            try context.print(try page(of: certificate, arguments, dump))
        }
    }

    /// Whether the common name contains the given text and the e-mail address matches, in any case.
    private static func matches(_ found: FoundCertificate, _ arguments: Arguments) -> Bool {
        if let name = arguments[.certificateName] {
            guard let commonName = found.certificate?.commonName,
                name.isEmpty || commonName.lowercased().contains(name.lowercased())
            else { return false }
        }
        guard let address = arguments[.emailAddress]?.lowercased() else { return true }
        return found.certificate?.emailAddresses.contains { $0.lowercased() == address } ?? false
    }

    /// Returns the requested hashes and addresses, then PEM or the dump.
    private static func page(
        of found: FoundCertificate,
        _ arguments: Arguments,
        _ dump: ItemDump?
    ) throws(CommandFailure) -> Page {
        var page = Page()
        if arguments.has(.hashes) {
            let hashes = try found.hashes()
            page.append(line: "SHA-256 hash: \(hashes.sha256)")
            page.append(line: "SHA-1 hash: \(hashes.sha1)")
        }
        if arguments.has(.showEmail) {
            let addresses = found.certificate?.emailAddresses ?? []
            page.append(line: "email addresses: " + addresses.joined(separator: ", "))
        }
        if let dump {
            page.append(dump.page(of: found.item, .certificate))
        } else {
            page.append(raw: found.pem)
        }
        return page
    }
}
