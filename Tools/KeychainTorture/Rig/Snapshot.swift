import KeychainMessages
import KeychainModel

/// Everything that a keychain would say of itself: items with their values, the files whose keys it
/// wraps, the keys whose handles are kept elsewhere, and its passcode.
struct Snapshot: Equatable {
    let items: [String]
    /// nil without one.
    let passcode: String?

    /// Looks at a keychain; a locked one is unlocked first.
    init(of rig: Rig) throws(KeychainError) {
        passcode = try rig.unlock()
        var items: [String] = []
        for itemClass in ItemClass.stored { items += try rig.sentences(of: itemClass) }
        items += try TortureFile.sentences(rig, in: rig.directory)
        self.items = items + (try TortureHandle.sentences(rig, in: rig.directory))
    }

    /// Opens the keychain of a directory, looks, and shows that it still works.
    ///
    /// - Throws: why it does not.
    static func reopening(_ directory: String) throws(KeychainError) -> Snapshot {
        let rig = try Rig(directory, isUnlocked: false)
        defer { rig.close() }
        let snapshot = try Snapshot(of: rig)
        try rig.prove()
        return snapshot
    }

    /// What differs, for a report.
    func difference(from other: Snapshot) -> String {
        var parts: [String] = []
        let mine = Set(items)
        let theirs = Set(other.items)
        parts += mine.subtracting(theirs).sorted().map { "+ \($0)" }
        parts += theirs.subtracting(mine).sorted().map { "- \($0)" }
        if passcode != other.passcode {
            parts.append("passcode \(passcode ?? "none"), not \(other.passcode ?? "none")")
        }
        return parts.isEmpty ? "no difference" : parts.joined(separator: "; ")
    }
}

extension Rig {
    /// Adds, reads and deletes an item of each kind of class, and makes the key of a file and one
    /// of the secure element: the keychain has to work.
    func prove() throws(KeychainError) {
        for accessible in ["ak", "ck", "dk"] {
            let item = Rig.item("proof", ["pdmn": .string(accessible)])
            try add(item, "proven")
            guard try read(item) == "proven" else {
                throw KeychainError(.internal, "an item that was just added reads otherwise")
            }
            try delete(item)
        }
        let file = try TortureFile.make(.completeUnlessOpen, self)
        guard file.sentence(self) == "opens" else {
            throw KeychainError(.internal, "a file that was just made \(file.sentence(self))")
        }
        let handle = TortureHandle.sentence(try TortureHandle.make(.whenUnlocked, self), self)
        guard handle.hasSuffix("signs") else {
            throw KeychainError(.internal, "of a key that was just made: \(handle)")
        }
        var faults: [CheckFault] = []
        _ = try engine().check(naming: { faults.append($0) })
        if !faults.isEmpty { throw KeychainError(.decode, "check finds \(faults)") }
    }
}
