/// Statements that do not count any more, and what decided that.
struct TakenBack {
    let statements: [SyncDigest]
    /// The statement that takes them back; nil if they stay out whatever becomes of it.
    let remover: SyncDigest?

    init(_ statements: [SyncDigest], by remover: SyncDigest?) {
        self.statements = statements
        self.remover = remover
    }
}

/// The statements that a circle is made without.
///
/// What a removal took back comes back if the removal does not count itself. Otherwise whoever has
/// the keys of a removed device could undo what members said, by a removal that does not count.
///
/// - Source: Documentation/Spec/sync.md §4.
struct LeftOutStatements {
    private(set) var digests: Set<SyncDigest> = []
    /// By the statements that took them back.
    private var takenBack: [SyncDigest: [SyncDigest]] = [:]
    /// How many more removals give back what they took, so that making a circle ends.
    private var returnCount: Int

    /// The removals that gave back what they took although they were not left out.
    private var uncounted: Set<SyncDigest> = []

    /// None yet, of so many statements.
    init(of statementCount: Int) {
        returnCount = 1024 + 2 * statementCount
    }

    mutating func leaveOut(_ taken: TakenBack) {
        digests.formUnion(taken.statements)
        if let remover = taken.remover { takenBack[remover, default: []] += taken.statements }
        for removal in taken.statements { _ = giveBack(removal) }
    }

    /// Gives back what removals took that were not left out, and do not count all the same.
    ///
    /// Each does that once: three that remove one another in a circle would do it for ever.
    ///
    /// - Returns: Whether there were such removals.
    mutating func giveBack(unless counted: Set<SyncDigest>) -> Bool {
        let removals = takenBack.keys.filter { !counted.contains($0) && !uncounted.contains($0) }
        uncounted.formUnion(removals)
        return removals.sorted().map { giveBack($0) }.contains(true)
    }

    private mutating func giveBack(_ removal: SyncDigest) -> Bool {
        guard returnCount > 0, let returned = takenBack.removeValue(forKey: removal) else {
            return false
        }
        digests.subtract(returned)
        returnCount -= 1
        return true
    }
}
