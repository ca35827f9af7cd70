import Foundation
import Synchronization

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

// Keychain Services change one item at a time. So the vault first stores notes of all changes as an
// item, makes the changes, and deletes the notes.
//
// Invariants  (1) No item changes before the notes are stored.
//             (2) Each step can be made any number of times, with the same outcome.
//             (3) The notes are deleted last. So a program that finds notes can complete them.
//             (4) If a step is refused, the notes say so before the first step is undone, and
//                 name only the steps that were made.
//             (5) Notes change items of their own access group only. So a program that shares a
//                 group cannot plant notes that change items which it may not change itself.
//             (6) Deletions come last, because an undo brings back only what this module knows.
extension Vault {
    /// Makes several changes, all or none of them.
    ///
    /// The closure only plans; the changes begin when it returns. If one is refused, the vault
    /// undoes the others and throws. If the process ends in between, ``recover()`` completes the
    /// changes at the next start. Until then, other code can see some of the changes.
    ///
    /// All items must be in one access group. An item that was deleted and comes back by an undo
    /// has a new creation date. One process at a time should run transactions in an access group.
    ///
    /// If the device locks in between, the vault can neither go on nor undo. It throws
    /// ``VaultError/Reason/locked``, and ``recover()`` completes the changes after the unlock.
    ///
    /// ```swift
    /// try vault.transaction { changes in
    ///     changes.save(newToken, in: .refreshToken)
    ///     changes.delete(.oldToken)
    /// }
    /// ```
    public func transaction(
        _ plan: (inout Transaction) -> Void
    ) throws(VaultError) {
        var transaction = Transaction()
        plan(&transaction)
        if let refusal = transaction.refusal { throw refusal }
        guard !transaction.steps.isEmpty else { return }
        let steps =
            transaction.steps.filter { $0.new != nil }
            + transaction.steps.filter { $0.new == nil }
        try Self.oneAtATime { () throws(VaultError) in
            _ = try recoverAll()
            var intent = Intent(id: UUID().uuidString, steps: [])
            for step in steps { intent.steps.append(try withOld(step)) }
            try carryOut(intent, in: try begin(intent))
        }
    }

    /// Completes the transactions that a kill interrupted; call it once when the program starts.
    ///
    /// Call it before anything else writes to the same items. If the items need an unlocked device
    /// and it is locked, it throws ``VaultError/Reason/locked``; call it again after the unlock. It
    /// also completes the transactions of other programs in a shared access group.
    ///
    /// - Returns: the number of transactions that it completed or undid.
    @discardableResult
    public func recover() throws(VaultError) -> Int {
        try Self.oneAtATime { () throws(VaultError) in try recoverAll() }
    }
}

extension Vault {
    private static let turn = Mutex(())

    private static func oneAtATime<Result>(
        _ body: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        try turn.withLock { _ throws(VaultError) in try body() }
    }

    /// Returns the step with the present content of its item.
    private func withOld(_ step: Step) throws(VaultError) -> Step {
        var query = ItemDictionary.identity(step.name, in: accessGroup)
        query[kSecReturnPersistentRef as String] = true
        query[kSecMatchLimit as String] = kSecMatchLimitAll
        query[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        let (status, object) = calls.found(query)
        if status == errSecItemNotFound { return step }
        try require(status, step.name)
        guard let references = object as? [Data], let reference = references.first else {
            throw failure(errSecInternalComponent, step.name)
        }
        guard references.count == 1 else {
            throw failure(errSecDuplicateItem, step.name, .ambiguous)
        }
        return try read(reference, into: step)
    }

    private func read(_ reference: Data, into step: Step) throws(VaultError) -> Step {
        var query = ItemDictionary.base(step.name.sort)
        query[kSecValuePersistentRef as String] = reference
        query[kSecReturnAttributes as String] = true
        query[kSecReturnData as String] = true
        query[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        let (status, object) = calls.found(query)
        try require(status, step.name)
        let attributes = ListedAttributes(object as? [String: Any] ?? [:])
        guard let availability = attributes.protection?.availability else {
            throw failure(errSecDecode, step.name)
        }
        var step = step
        step.group = attributes.text(kSecAttrAccessGroup) ?? accessGroup
        step.old = StoredItem(
            bytes: attributes.data(kSecValueData) ?? Data(),
            availability: availability,
            label: attributes.text(kSecAttrLabel) ?? "",
            comment: attributes.text(kSecAttrComment) ?? ""
        )
        return step
    }

    /// Stores the notes in the group that has the items, or that will get them.
    ///
    /// - Returns: The vault of that group alone.
    private func begin(_ intent: Intent) throws(VaultError) -> Vault {
        let groups = Set(intent.steps.compactMap(\.group))
        let addsItem = intent.steps.contains { $0.group == nil && $0.new != nil }
        guard groups.count < 2 else { throw severalGroups(intent) }
        var notes = ItemDictionary.identity(
            intent.item.address,
            in: addsItem ? accessGroup : groups.first
        )
        guard let details = ItemDictionary.details(of: intent.item, isNew: true) else {
            throw VaultError(errSecParam, .transaction, intent.item)
        }
        notes.merge(details) { $1 }
        notes[kSecValueData as String] = try encoded(intent, .transaction, intent.item)
        notes[kSecReturnAttributes as String] = true
        var stored: CFTypeRef?
        try require(calls.add(notes as CFDictionary, &stored), .transaction, intent.item)
        let attributes = ListedAttributes(stored as? [String: Any] ?? [:])
        let home = Vault(
            accessGroup: attributes.text(kSecAttrAccessGroup) ?? accessGroup,
            calls: calls
        )
        guard groups.allSatisfy({ $0 == home.accessGroup }) else {
            try home.delete(intent.item)
            throw severalGroups(intent)
        }
        return home
    }

    private func severalGroups(_ intent: Intent) -> VaultError {
        let advice = "The items are in several access groups. Change those of one at a time."
        return VaultError(.invalid, .transaction, intent.item, advice)
    }

    /// Makes all changes in the group that has the notes, or undoes them if one is refused.
    private func carryOut(_ intent: Intent, in home: Vault) throws(VaultError) {
        var made = 0
        do throws(VaultError) {
            while !intent.isUndoing, made < intent.steps.count {
                try home.apply(intent.steps[made].new, to: intent.steps[made])
                made += 1
            }
        } catch let refusal {
            // A refused call changed nothing, so only the steps before it are undone.
            let undo = Intent(id: intent.id, isUndoing: true, steps: Array(intent.steps[..<made]))
            let bytes = try encoded(undo, .transaction, undo.item)
            try home.saveBytes(bytes, in: undo.item, .transaction)
            try carryOut(undo, in: home)
            throw refusal
        }
        if intent.isUndoing { try home.undo(intent) }
        try home.delete(intent.item)
        // Observers may have seen the undone changes, so they are informed, too.
        for step in intent.steps {
            let content = intent.isUndoing ? step.old : step.new
            note(content == nil ? .deleted : .saved, step.name)
        }
    }

    private func undo(_ intent: Intent) throws(VaultError) {
        for step in intent.steps.reversed() { try apply(step.old, to: step) }
    }

    /// Gives one item of this vault's group a content, independent of its present one.
    private func apply(_ content: StoredItem?, to step: Step) throws(VaultError) {
        var query = ItemDictionary.identity(step.name, in: accessGroup)
        guard let content else {
            let status = calls.delete(query as CFDictionary)
            if status != errSecItemNotFound { try require(status, step.name) }
            return
        }
        let attributes = content.attributes
        var change = query
        change[kSecUseAuthenticationContext as String] = SilentContext.shared.context
        var status = calls.update(change as CFDictionary, attributes as CFDictionary)
        if status == errSecItemNotFound {
            query.merge(attributes) { $1 }
            status = calls.add(query as CFDictionary, nil)
        }
        try require(status, step.name)
    }

    private func recoverAll() throws(VaultError) -> Int {
        var count = 0
        for found in try list(.passwords(service: Intent.service)) {
            let vault = Vault(accessGroup: found.accessGroup, calls: calls)
            guard let intent = try vault.intent(found.item) else { continue }
            guard intent.steps.allSatisfy({ [nil, found.accessGroup].contains($0.group) }) else {
                // Such notes are never carried out, see (5).
                try vault.delete(found.item)
                continue
            }
            count += 1
            do throws(VaultError) {
                try vault.carryOut(intent, in: vault)
            } catch {
                // Changes that were finally refused are undone, and their notes are gone.
                if try vault.presence(of: found.item) != .absent { throw error }
            }
        }
        return count
    }

    private func intent(_ notes: Password) throws(VaultError) -> Intent? {
        do throws(VaultError) { return try read(notes) } catch  where error.reason == .undecodable {
            let advice =
                "These notes of a transaction are not of this version. Another version of the "
                + "program can complete them; if there is none, delete the item."
            throw VaultError(.undecodable, .transaction, notes, advice)
        }
    }

    private func require(_ status: OSStatus, _ name: ItemName) throws(VaultError) {
        guard status == errSecSuccess else { throw failure(status, name) }
    }

    private func failure(
        _ status: OSStatus,
        _ name: ItemName,
        _ reason: VaultError.Reason? = nil
    ) -> VaultError {
        VaultError(status, .transaction, name.sort, name.description, reason: reason)
    }
}
