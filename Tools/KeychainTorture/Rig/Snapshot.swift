import KeychainMessages
import KeychainModel

/// The whole visible content of a keychain.
///
/// It consists of the items with their values, the files whose keys the keychain wraps, the keys
/// whose handles are stored elsewhere, and the passcode.
struct Snapshot: Equatable {
    let items: [String]
    /// nil if there is no passcode.
    let passcode: String?

    /// Reads a keychain; if it is locked, unlocks it first.
    init(of rig: Rig) throws(KeychainError) {
        passcode = try rig.unlock()
        var items: [String] = []
        for itemClass in ItemClass.stored { items += try rig.sentences(of: itemClass) }
        items += try TortureFile.sentences(rig, in: rig.directory)
        self.items = items + (try TortureHandle.sentences(rig, in: rig.directory))
    }

    /// Opens the keychain of a directory, reads it, and shows that it still works.
    ///
    /// - Throws: The failure of the keychain.
    static func reopening(_ directory: String) throws(KeychainError) -> Snapshot {
        let rig = try Rig(directory, isUnlocked: false)
        defer { rig.close() }
        let snapshot = try Snapshot(of: rig)
        try rig.prove()
        return snapshot
    }

    /// Returns the differences, for a report.
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
    /// Checks that the keychain works.
    ///
    /// It adds, reads and deletes an item of each kind of class, and makes the key of a file and
    /// one of the secure element.
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
