import KeychainModel

// The trees for -34018 and -50: calls that fail in every state of the keychain.
extension DiagnosisTree {
    /// The diagnosis for `errSecMissingEntitlement` (-34018).
    var missingEntitlement: Diagnosis {
        guard !facts.groups.isEmpty else {
            return Diagnosis(
                .noGroups,
                "This program has no access group: it sees no item, and every call returns -34018.",
                [facts.wayToGroup]
            )
        }
        let own = "This program has \(facts.groups.joined(separator: ", "))."
        guard let group = facts.askedGroup else {
            return Diagnosis(
                .itemNotNamed,
                "Usually the failed call named an access group that the program does not have."
                    + " \(own)",
                [
                    "Name the group of the call: keychainctl explain -34018 --access-group GROUP",
                    otherProgram,
                ]
            )
        }
        guard group != Entitlements.tokenGroup else {
            return Diagnosis(
                .readOnlyGroup,
                "The group \(group) belongs to tokens. Programs can search in it, but not write.",
                ["Store the item in another group. \(own)"]
            )
        }
        guard !facts.mayUse(group) else {
            return Diagnosis(
                .ownGroup,
                "This program has the group \(group), so the call succeeds here. The program that"
                    + " failed has other groups.",
                [otherProgram]
            )
        }
        return foreignGroup(group, own)
    }

    /// Returns the diagnosis for -34018 without a keychain: the status is about groups, which need
    /// none.
    func groupsWithoutKeychain(in directory: String) -> Diagnosis {
        let group = facts.askedGroup.map { "the group \($0)" } ?? "an access group"
        return Diagnosis(
            .noKeychain,
            "The call named \(group) that the program does not have, or the program has no access"
                + " group at all. There is no keychain yet, so nothing here tells its groups:"
                + " \(directory) does not exist, or is empty.",
            [facts.wayToGroup, otherKeychain]
        )
    }

    private func foreignGroup(_ group: String, _ own: String) -> Diagnosis {
        let count = facts.groupCounts?[group] ?? 0
        let holds =
            count == 0 ? "" : count == 1 ? " It has 1 item." : " It has \(count) items."
        let similar = facts.groups.first { $0.hasSuffix("." + group) || group.hasSuffix("." + $0) }
        let hint =
            similar.map { ["Did you mean \($0)? The team's prefix is part of a group's name."] }
            ?? []
        return Diagnosis(
            .foreignGroup,
            "The call names the group \(group), which this program does not have.\(holds) \(own)",
            hint + [facts.wayToGroup, otherProgram]
        )
    }

    private var otherProgram: String {
        switch facts.endpoint {
        case .userDaemon, .systemDaemon:
            "These are the groups of keychainctl. keychainctl status shows how the daemon sees it."
        case .embedded, .simulated:
            "These are the groups of keychainctl. For those of another program, set its"
                + " KEYCHAIN_ENTITLEMENTS and run this command again."
        }
    }

    /// The diagnosis for `errSecParam` (-50).
    var parameter: Diagnosis {
        let broken = Self.contradictions.filter { $0.applies(facts) }
        guard let first = broken.first else {
            return Diagnosis(
                facts.namesItem || facts.control != nil ? .noTree : .itemNotNamed,
                "The query contains a key or value that the call does not accept. What you named"
                    + " here is valid.",
                [
                    "Set KEYCHAIN_DIAGNOSTICS=1 and run the program again: the refused call then"
                        + " prints the key.",
                    "keychain-lint finds most such queries in source.",
                ]
            )
        }
        return Diagnosis(.contradiction, first.sentence, [first.action])
    }

    private struct Contradiction {
        let sentence: String
        let action: String
        let applies: @Sendable (DiagnosisFacts) -> Bool
    }

    /// ★ Table: attributes that exclude each other.
    private static let contradictions = [
        Contradiction(
            sentence: "An item with an access control cannot be synchronizable.",
            action: "Choose one of the two."
        ) { $0.control != nil && $0.asksSynchronizable },
        Contradiction(
            sentence: "A synchronizable item cannot have a ThisDeviceOnly class.",
            action: "Choose the class without ThisDeviceOnly, or do not synchronize the item."
        ) { $0.asksSynchronizable && $0.askedProtection?.isThisDeviceOnly == true },
        Contradiction(
            sentence: "kSecAttrAccessible and kSecAttrAccessControl exclude each other: the access"
                + " control contains the accessibility.",
            action: "Remove kSecAttrAccessible, and name the class in"
                + " SecAccessControlCreateWithFlags."
        ) { $0.control != nil && $0.askedProtection != nil },
        Contradiction(
            sentence: "A certificate has no application tag: only keys have one.",
            action: "Name the certificate with kSecAttrLabel."
        ) { $0.itemClass == .certificate && $0.asked[.applicationTag] != nil },
        Contradiction(
            sentence: "SecItemAdd makes no identity from attributes. An identity is a certificate"
                + " and its private key.",
            action: "Import a PKCS#12 file, or add the certificate and the key."
        ) { $0.itemClass == .identity },
        Contradiction(
            sentence: "A key needs kSecAttrKeyType, and a new key also kSecAttrKeySizeInBits.",
            action: "Name both where you make the key."
        ) { $0.itemClass == .key && $0.asked[.type] == nil },
    ]
}

// Words for attributes and values.
extension DiagnosisTree {
    /// ★ Table: the words for attributes.
    private static let names: [Attribute: String] = [
        .account: "account", .service: "service", .server: "server", .port: "port",
        .path: "path", .label: "label", .comment: "comment", .description: "kind",
        .accessible: "accessibility", .accessGroup: "access group",
        .synchronizable: "synchronizability", .generic: "generic attribute",
        .creator: "creator", .type: "type", .securityDomain: "security domain",
        .protocolName: "protocol", .authenticationType: "authentication type",
        .keyClass: "key class", .applicationLabel: "application label",
        .applicationTag: "application tag", .keySizeInBits: "size",
        .effectiveKeySize: "effective size", .startDate: "start date", .endDate: "end date",
        .tokenID: "token", .certificateType: "certificate type", .issuer: "issuer",
        .serialNumber: "serial number",
    ]

    static func name(_ attribute: Attribute) -> String { names[attribute] ?? attribute.rawValue }

    /// Returns the names with commas, and with "and" before the last one.
    static func list(_ attributes: [Attribute]) -> String {
        let words = attributes.map(name)
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }

    static func keyWords(_ itemClass: ItemClass) -> String {
        list(DiagnosisFacts.keyAttributes(of: itemClass) + [.accessGroup, .synchronizable])
    }

    static func value(_ value: AttributeValue?) -> String {
        switch value {
        case .string(let text)?: ProtectionClass(code: text)?.name ?? "\u{201C}\(text)\u{201D}"
        case .number(let number)?: "\(number)"
        case .bool(let flag)?: flag ? "yes" : "no"
        case .data(let bytes)?:
            String(validating: bytes, as: UTF8.self).map { "\u{201C}\($0)\u{201D}" }
                ?? "other bytes"
        case nil: "not set"
        default: "another value"
        }
    }
}
