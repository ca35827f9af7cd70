import KeychainModel

// The trees for -25299 and -25300: a search and an add see different items.
extension DiagnosisTree {
    /// The diagnosis for `errSecDuplicateItem` (-25299).
    var duplicateItem: Diagnosis {
        guard facts.namesItem else {
            return itemNotNamed("An item with the same primary key exists.")
        }
        let sameKey = facts.matches.filter { item in
            (item.group == nil || item.group == facts.destination)
                && (item.isSynchronizable ?? facts.asksSynchronizable) == facts.asksSynchronizable
        }
        guard let item = sameKey.first else { return noDuplicate }
        guard missingKey.isEmpty || sameKey.count == 1 && isWhole(item) else {
            return Diagnosis(
                .incompleteKey,
                "\(sameKey.count == 1 ? "An item matches" : "\(sameKey.count) items match"),"
                    + " but the primary key is not complete: \(Self.list(missingKey)) is missing."
                    + " An add without it uses an empty value.",
                ["Name the whole primary key in every query."],
                items: sameKey
            )
        }
        let others = facts.differences(from: item).filter { $0 != .synchronizable }
        let update =
            unlocking(for: item)
            + (facts.itemClass.isPassword
                ? ["Update the item with SecItemUpdate (the command: add … -U)."]
                : ["Use the stored item, or delete it before you add another one."])
        guard !others.isEmpty else {
            return Diagnosis(
                .duplicate,
                "This item has the primary key already. Only \(Self.keyWords(item.itemClass))"
                    + " form the key, so other attributes do not make a second item.",
                update,
                items: [item]
            )
        }
        return Diagnosis(
            .duplicateWithOtherAttributes,
            "This item has the primary key already. It differs in"
                + " \(Self.list(others)), which \(others.count == 1 ? "is" : "are") not part of"
                + " the key: \(comparison(others, item)).",
            [
                "Search by the primary key only; a search that also names"
                    + " \(Self.list(others)) misses it."
            ] + update,
            items: [item]
        )
    }

    private var noDuplicate: Diagnosis {
        let elsewhere = facts.matches
        let reason =
            elsewhere.isEmpty
            ? "No item has this primary key now, so an add would succeed."
            : "No item has this primary key now. Group and synchronizability are part of the key,"
                + " and the items below differ in them."
        let hidden = hiddenWords
        return Diagnosis(
            .noDuplicate,
            reason + hidden,
            ["If another program adds the item at the same time, update it after -25299."],
            items: elsewhere
        )
    }

    /// The parts of the primary key that the user did not name.
    private var missingKey: [Attribute] {
        guard facts.itemClass.isPassword else { return [] }
        let needed: [Attribute] =
            facts.itemClass == .genericPassword ? [.service, .account] : [.server, .account]
        return needed.filter { facts.asked[$0] == nil }
    }

    /// Whether the parts of the key that the user did not name are empty in an item, too.
    private func isWhole(_ item: KnownItem) -> Bool {
        item.isReadable && missingKey.allSatisfy { (item.text($0) ?? "").isEmpty }
    }

    private func comparison(_ attributes: [Attribute], _ item: KnownItem) -> String {
        attributes.map { attribute in
            let asked = Self.value(facts.asked[attribute])
            return "\(Self.name(attribute)) is \(Self.value(item.attributes[attribute])),"
                + " not \(asked)"
        }.joined(separator: "; ")
    }
}

extension DiagnosisTree {
    /// The diagnosis for `errSecItemNotFound` (-25300).
    var itemNotFound: Diagnosis {
        guard facts.namesItem else {
            return itemNotNamed("No item matches all that the query names.")
        }
        return foundAfterAll ?? sameKeyElsewhere ?? keyMiss ?? identityMiss ?? alike
            ?? Diagnosis(
                .nothingAlike,
                "This program has no such item, and none that is similar." + passcodeWords,
                ["keychainctl dump-keychain lists all items of this program."]
            )
    }

    /// The diagnosis if the item exists with all given attributes.
    private var foundAfterAll: Diagnosis? {
        let items = facts.exactMatches
        guard let item = items.first else { return nil }
        if !facts.asksSynchronizable, items.allSatisfy({ $0.isSynchronizable == true }) {
            return Diagnosis(
                .synchronizableOnly,
                "The item exists, but it is synchronizable. A query without"
                    + " kSecAttrSynchronizable finds only items that are not.",
                ["Add kSecAttrSynchronizable: kSecAttrSynchronizableAny to the query."],
                items: items
            )
        }
        let isGuarded = item.control != nil || item.obstacle == .accessControl
        return Diagnosis(
            .found,
            "The item exists, and this program sees it."
                + (isGuarded
                    ? " It has an access control: a query with kSecUseAuthenticationUISkip"
                        + " leaves it out." : ""),
            [
                "Compare the failed query with this one: each attribute in it is a condition.",
                groupsDiffer,
            ] + tagAdvice,
            items: items
        )
    }

    /// Advice about a suspicion that is wrong.
    private var tagAdvice: [String] {
        guard facts.itemClass == .key, facts.asked[.applicationTag] != nil else { return [] }
        return [
            "The type of kSecAttrApplicationTag is not the reason: a String and a Data with the"
                + " same bytes name the same key."
        ]
    }

    private var groupsDiffer: String {
        "If another program made the call, it has groups of its own: run this command with its"
            + " KEYCHAIN_ENTITLEMENTS, or name a group with --access-group."
    }

    /// The diagnosis if the key exists in another group, or with other attributes.
    private var sameKeyElsewhere: Diagnosis? {
        guard let item = facts.matches.first else { return nil }
        let different = facts.matches.map { facts.differences(from: $0) }
        if let index = different.firstIndex(of: [.accessGroup]) {
            let group = facts.matches[index].group ?? ""
            return Diagnosis(
                .otherGroup,
                "The item is in the group \(group), not in \(facts.askedGroup ?? "").",
                ["Name the group \(group), or leave the group out of the query."],
                items: facts.matches
            )
        }
        if different.contains([.synchronizable]) {
            return Diagnosis(
                .localOnly,
                "The item exists, but it is not synchronizable.",
                [
                    "Leave kSecAttrSynchronizable out of the query, or set it to"
                        + " kSecAttrSynchronizableAny."
                ],
                items: facts.matches
            )
        }
        let others = facts.differences(from: item)
        return Diagnosis(
            .otherAttributes,
            "An item has this primary key, but another \(Self.list(others)):"
                + " \(comparison(others, item)).",
            ["Remove \(Self.list(others)) from the query: search by the primary key only."],
            items: facts.matches
        )
    }

    /// The diagnosis if similar items exist.
    private var alike: Diagnosis? {
        let near = NearMisses(facts)
        if !near.otherClass.isEmpty {
            let noun = KnownItem.noun(near.otherClass[0].itemClass)
            let article = noun.hasPrefix("i") ? "an" : "a"
            return Diagnosis(
                .otherClass,
                "There is no such \(KnownItem.noun(facts.itemClass)), but \(article) \(noun) of"
                    + " that name.",
                ["Use the kSecClass of that item in the query."],
                items: near.otherClass
            )
        }
        if !near.otherSpelling.isEmpty {
            return Diagnosis(
                .otherSpelling,
                "An item differs only in letter case or spaces. The keychain compares exactly.",
                ["Use one spelling in every query; store names in lowercase."],
                items: near.otherSpelling
            )
        }
        if let item = near.similarName.first {
            let key = facts.differences(from: item).filter {
                [.service, .server, .account, .applicationTag, .label].contains($0)
            }
            return Diagnosis(
                .similarName,
                "An item has a similar name: \(comparison(key, item)). The keychain compares"
                    + " exactly.",
                ["Use one spelling in every query."],
                items: near.similarName
            )
        }
        if !near.otherAccount.isEmpty {
            let place =
                facts.itemClass == .key
                ? "tag" : facts.itemClass == .genericPassword ? "service" : "server"
            return Diagnosis(
                .otherAccount,
                "The \(place) has items, but none for this account.",
                ["Name the account of one of them, or add the item."],
                items: near.otherAccount
            )
        }
        return hiddenByLock ?? foreignItems
    }

    /// The diagnosis if the lock state hides items that may match.
    var hiddenByLock: Diagnosis? {
        guard facts.hiddenCount > 0 else { return nil }
        return Diagnosis(
            .hiddenByLock,
            "No item has this name." + hiddenWords,
            unlocking + ["Then run this command again."]
        )
    }

    private var foreignItems: Diagnosis? {
        let groups = facts.hiddenGroups
        guard !groups.isEmpty else { return nil }
        let words = groups.map { group, count in
            "\(group) (\(count == 1 ? "1 item" : "\(count) items"))"
        }
        return Diagnosis(
            .foreignItems,
            "This program has no such item. The keychain has items in groups that it cannot see:"
                + " \(words.joined(separator: ", "))." + passcodeWords,
            [
                "If the item belongs to another program, both need one group."
                    + " \(facts.wayToGroup)"
            ]
        )
    }

    private var hiddenWords: String {
        guard facts.hiddenCount > 0 else { return "" }
        let words =
            facts.hiddenCount == 1 ? "1 other item is" : "\(facts.hiddenCount) other items are"
        return " \(words) locked and cannot be compared."
    }

    /// A reason that applies only to items of one accessibility.
    private var passcodeWords: String {
        let asked = facts.askedProtection ?? facts.control?.protection
        guard !facts.isPasscodeSet, asked == .whenPasscodeSetThisDeviceOnly else { return "" }
        return " No passcode is set: an item of WhenPasscodeSetThisDeviceOnly disappears with the"
            + " passcode."
    }
}
