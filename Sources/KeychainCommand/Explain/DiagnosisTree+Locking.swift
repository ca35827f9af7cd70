import KeychainModel

// The trees for -25308, -25293 and -128: the item exists but does not open.
extension DiagnosisTree {
    /// The diagnosis for `errSecInteractionNotAllowed` (-25308).
    var interactionNotAllowed: Diagnosis {
        guard facts.namesItem else { return lockStateAlone }
        let items = facts.exactMatches
        if items.isEmpty { return closedForNobody }
        if let item = items.first(where: { isLocked($0) }) { return locked(item) }
        guard let item = items.first(where: { $0.control != nil || $0.obstacle == .accessControl })
        else {
            return Diagnosis(
                .readable,
                "The item opens now without a prompt. The refused call met another lock state,"
                    + " or ran as a program with other settings.",
                backgroundAdvice(items[0]),
                items: items
            )
        }
        return guarded(item)
    }

    private func isLocked(_ item: KnownItem) -> Bool {
        item.obstacle == .lockState || item.protection.map(isOpen) == false
    }

    private func locked(_ item: KnownItem) -> Diagnosis {
        let group = item.group.map { " in group \($0)" } ?? ""
        let name = item.protection?.name ?? "of a locked class"
        if facts.lockState == .beforeFirstUnlock {
            return Diagnosis(
                .notUnlockedSinceStart,
                "The item exists\(group) and is \(name). Nobody has unlocked the keychain since"
                    + " the machine started.",
                unlocking + backgroundAdvice(item),
                items: [item]
            )
        }
        return Diagnosis(
            .locked,
            "The item exists\(group) and is \(name): it opens only while the keychain is"
                + " unlocked, and now it is locked.",
            unlocking + backgroundAdvice(item),
            items: [item]
        )
    }

    private func guarded(_ item: KnownItem) -> Diagnosis {
        let needs = item.control.map { "\u{201C}\(AccessControlText.text(of: $0))\u{201D}" }
        let control = "The item exists, and its access control \(needs ?? "") requires a prompt"
            .replacing("  ", with: " ")
        guard facts.prompts.canPrompt else {
            return Diagnosis(
                .promptImpossible,
                control + ", but nothing here can show one.",
                promptAdvice + [secondItem],
                items: [item]
            )
        }
        return Diagnosis(
            .promptNeeded,
            control + ". This terminal can show one, but the call that failed could not: it ran"
                + " in the background, or it set kSecUseAuthenticationUIFail or"
                + " interactionNotAllowed.",
            [
                "Make the call while the user is there, and without these settings.",
                secondItem,
            ],
            items: [item]
        )
    }

    private var secondItem: String {
        "For code in the background, keep a second item without an access control"
            + " (AfterFirstUnlockThisDeviceOnly)."
    }

    private var promptAdvice: [String] {
        switch facts.prompts {
        case .forbidden: ["Unset KEYCHAIN_PROMPT, or set it to auto."]
        case .none, .pinentry, .terminal:
            ["Run the program at a terminal, or install a pinentry program."]
        }
    }

    /// Advice for code that runs while the keychain is locked.
    private func backgroundAdvice(_ item: KnownItem) -> [String] {
        guard item.protection?.availability == .whenUnlocked else { return [] }
        guard item.control == nil, item.obstacle != .accessControl else { return [secondItem] }
        return [
            "If code reads it while the keychain is locked, store it as"
                + " AfterFirstUnlockThisDeviceOnly."
        ]
    }

    /// The diagnosis if no item is named: only the lock state and the context decide.
    private var lockStateAlone: Diagnosis {
        guard facts.lockState != .unlocked else {
            return itemNotNamed(
                "The keychain is unlocked. So the refused call needed a prompt, or met another"
                    + " lock state."
            )
        }
        let which =
            facts.lockState == .beforeFirstUnlock
            ? "every item, except those of the Always classes" : "every WhenUnlocked item"
        return Diagnosis(
            .lockState,
            "The keychain is \(facts.lockState.rawValue). This closes \(which).",
            unlocking
        )
    }

    /// The diagnosis for -25308 if the item does not exist: an add failed, or its class is locked.
    private var closedForNobody: Diagnosis {
        var tree = itemNotFound
        let add =
            facts.lockState == .unlocked
            ? "" : " An add is refused as well while the class of the new item is locked."
        tree = Diagnosis(
            tree.cause,
            "No such item is visible, so a read now returns -25300. \(tree.conclusion)\(add)",
            (facts.lockState == .unlocked ? [] : unlocking) + tree.actions,
            items: tree.items
        )
        return tree
    }
}

extension DiagnosisTree {
    /// The diagnosis for `errSecAuthFailed` (-25293).
    var authenticationFailed: Diagnosis {
        if facts.delaySeconds > 0 {
            let seconds = Int64(exactly: facts.delaySeconds.rounded(.up)) ?? .max
            return Diagnosis(
                .attemptsDelayed,
                "There were \(facts.failedAttempts) wrong passcodes. The keychain refuses the next"
                    + " attempt for \(seconds) s.",
                ["Wait \(seconds) s, then enter the correct passcode."]
            )
        }
        let items = facts.namesItem ? facts.exactMatches : []
        let bound = items.first { needsPasscode($0) }
        if !facts.isPasscodeSet, facts.askedProtection?.requiresPasscode == true {
            return Diagnosis(
                .passcodeMissing,
                "WhenPasscodeSetThisDeviceOnly needs a passcode, and none is set.",
                ["Set one: keychainctl passcode set", "Or choose WhenUnlockedThisDeviceOnly."]
            )
        }
        if !facts.isPasscodeSet, let item = bound ?? (items.isEmpty ? nil : items[0]),
            item.control != nil || item.obstacle == .accessControl
        {
            return Diagnosis(
                .passcodeMissing,
                "The item's access control needs the passcode that was set when it was added."
                    + " No passcode is set now, so nothing opens the item again.",
                [
                    "Delete the item, set a passcode (keychainctl passcode set), and add it again.",
                    "keychainctl check names all such items.",
                ],
                items: [item]
            )
        }
        guard let item = items.first else {
            return itemNotNamed("A passcode, fingerprint or password was wrong, or is not set.")
        }
        return proofFailed(item)
    }

    private func needsPasscode(_ item: KnownItem) -> Bool {
        item.control?.constraint?.factors.contains(.passcode) == true
    }

    private func proofFailed(_ item: KnownItem) -> Diagnosis {
        let isCurrentSet = item.control?.flags.contains(.biometryCurrentSet) == true
        let changed =
            isCurrentSet
            ? " Its access control is biometryCurrentSet: after a change of fingers or faces"
                + " nothing opens it again." : ""
        return Diagnosis(
            .proofFailed,
            "The item exists. What it requires was wrong or missing.\(changed)",
            ["Try again with the correct passcode, finger or password."]
                + (isCurrentSet
                    ? ["If the enrolled fingers changed, delete the item and add it again."] : []),
            items: [item]
        )
    }

    /// The diagnosis for `errSecUserCanceled` (-128).
    var canceled: Diagnosis {
        let item = facts.exactMatches.first {
            facts.namesItem && ($0.control != nil || $0.obstacle == .accessControl)
        }
        return Diagnosis(
            .canceled,
            "The user canceled the prompt\(item == nil ? "" : " that the item requires")."
                + " The item is unchanged.",
            [
                "Treat it as an answer: do not prompt again at once, and do not delete the item."
            ],
            items: item.map { [$0] } ?? []
        )
    }

    /// The diagnosis for `errSecNotAvailable` (-25291).
    var notAvailable: Diagnosis {
        guard let failure = facts.failure else {
            return Diagnosis(
                .available,
                "The keychain answers now. When the call failed, it was busy, its disk was"
                    + " missing, or its daemon was stopped.",
                ["If it happens again, run keychainctl doctor at that moment."]
            )
        }
        return Diagnosis(
            .unavailable,
            "The keychain does not open: \(failure.description).",
            ["Run keychainctl doctor: it names the file, and says what to do."]
        )
    }
}
