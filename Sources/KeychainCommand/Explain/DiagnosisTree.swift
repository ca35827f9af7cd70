import KeychainModel

/// The diagnosis trees, which derive the cause of a status from facts.
///
/// They only decide; `ExplainStatus` collects the facts.
///
///     DiagnosisTree(facts).diagnosis.conclusion
///     // The item is AfterFirstUnlock, and nobody has unlocked the keychain since the start.
///
/// - Source: requirement DOC-08.
struct DiagnosisTree {
    let facts: DiagnosisFacts

    init(_ facts: DiagnosisFacts) { self.facts = facts }

    /// The statuses that have a tree.
    static let statuses: [SecurityStatus] = [
        .interactionNotAllowed, .duplicateItem, .itemNotFound, .missingEntitlement, .param,
        .authFailed, .userCanceled, .notAvailable,
    ]

    /// The cause, with the facts that the tree examined.
    var diagnosis: Diagnosis {
        if let failure = facts.failure, facts.status != .notAvailable {
            return Diagnosis(
                .unavailable,
                "Nothing can be said about the item: the keychain does not open."
                    + " \(failure.description).",
                ["Run keychainctl doctor."]
            )
        }
        var diagnosis = branch
        diagnosis.facts =
            surroundings
            + diagnosis.items.prefix(Self.shownItems).map { item in
                (subject: "found", text: described(item))
            }
        if diagnosis.items.count > Self.shownItems {
            let rest = diagnosis.items.count - Self.shownItems
            diagnosis.facts.append((subject: "", text: "and \(rest) more"))
        }
        return diagnosis
    }

    private static let shownItems = 5

    /// The diagnosis if no keychain exists; nil for a wrong query, which needs none.
    private var noKeychain: Diagnosis? {
        guard let directory = facts.absentDirectory, facts.status != .param,
            Self.statuses.contains(facts.status)
        else { return nil }
        guard facts.status != .missingEntitlement else {
            return groupsWithoutKeychain(in: directory)
        }
        return Diagnosis(
            .noKeychain,
            "There is no keychain yet, so there are no items: \(directory) does not exist, or is"
                + " empty. The first call of a program creates the keychain.",
            [otherKeychain]
        )
    }

    /// Advice on how to explain a failure in another program's keychain.
    var otherKeychain: String {
        "If the program that failed uses another keychain, run this command with the"
            + " program's KEYCHAIN_HOME, XDG_DATA_HOME or HOME."
    }

    private var branch: Diagnosis {
        if let noKeychain { return noKeychain }
        let aboutItems: [SecurityStatus] = [.interactionNotAllowed, .duplicateItem, .itemNotFound]
        if facts.groups.isEmpty, aboutItems.contains(facts.status) { return missingEntitlement }
        return switch facts.status {
        case .interactionNotAllowed: interactionNotAllowed
        case .duplicateItem: duplicateItem
        case .itemNotFound: itemNotFound
        case .missingEntitlement: missingEntitlement
        case .param: parameter
        case .authFailed: authenticationFailed
        case .userCanceled: canceled
        case .notAvailable: notAvailable
        default:
            Diagnosis(
                .noTree,
                "This command has no advice for this status.",
                facts.status == .success
                    ? []
                    : [
                        "Set KEYCHAIN_DIAGNOSTICS=1 and run the program again: each refused call"
                            + " then prints its reason."
                    ]
            )
        }
    }

    /// Returns the diagnosis if a tree needs an item and the user named none.
    func itemNotNamed(_ conclusion: String) -> Diagnosis {
        Diagnosis(
            .itemNotNamed,
            conclusion,
            ["Name the item, as in: keychainctl explain \(facts.status.rawValue) -s mail -a alice"]
        )
    }
}

// Facts that every tree examines.
extension DiagnosisTree {
    private var surroundings: [(subject: String, text: String)] {
        var rows = [(subject: String, text: String)]()
        if facts.namesItem { rows.append(("asked for", facts.askedWords)) }
        rows.append(("lock state", lockWords))
        rows.append(("context", contextWords))
        guard facts.absentDirectory == nil else { return rows }
        let groups = facts.groups.joined(separator: ", ")
        rows.append(("groups", groups.isEmpty ? "none" : groups))
        return rows
    }

    private var lockWords: String {
        guard facts.absentDirectory == nil else { return "none, because there is no keychain" }
        guard facts.failure == nil else { return "unknown, because the keychain does not open" }
        guard facts.isPasscodeSet else { return "no passcode is set, so it is always unlocked" }
        switch facts.lockState {
        case .beforeFirstUnlock:
            return "before first unlock: nobody has unlocked it since the machine started"
        case .locked: return "locked, and unlocked before since the machine started"
        case .unlocked: return "unlocked"
        }
    }

    private var contextWords: String {
        switch facts.prompts {
        case .forbidden: "KEYCHAIN_PROMPT=none, so nothing here can prompt"
        case .pinentry: "a pinentry program can prompt"
        case .terminal: "this terminal can prompt"
        case .none: "headless: no terminal and no usable pinentry program, so nothing can prompt"
        }
    }

    /// Returns an item in words, with the conditions under which it opens.
    func described(_ item: KnownItem) -> String {
        var parts = [item.words]
        if let protection = item.protection { parts.append(protection.name) }
        if item.isSynchronizable == true { parts.append("synchronizable") }
        if let control = item.control {
            parts.append("access control " + AccessControlText.text(of: control))
        } else if item.obstacle == .accessControl {
            parts.append("with an access control")
        }
        if let protection = item.protection, !isOpen(protection) { parts.append("locked now") }
        return parts.joined(separator: "; ")
    }

    /// Whether the lock state makes the keys of an accessibility available.
    func isOpen(_ protection: ProtectionClass) -> Bool {
        switch protection.availability {
        case .always: true
        case .afterFirstUnlock: facts.lockState != .beforeFirstUnlock
        case .whenUnlocked: facts.lockState == .unlocked
        }
    }

    /// Returns advice on unlocking if the item needs it now; otherwise nothing.
    func unlocking(for item: KnownItem) -> [String] {
        guard let protection = item.protection, !isOpen(protection) else { return [] }
        return unlocking
    }

    /// Advice on unlocking, for users and for machines without users.
    var unlocking: [String] {
        guard facts.lockState == .beforeFirstUnlock else {
            return ["Unlock it: keychainctl unlock-keychain"]
        }
        return [
            "Unlock it: keychainctl unlock-keychain",
            "If no user can type the passcode, set KEYCHAIN_UNLOCK_WITH, or add --unlock-with.",
        ]
    }
}
