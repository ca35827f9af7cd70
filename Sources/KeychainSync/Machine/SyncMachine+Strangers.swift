extension SyncMachine {
    /// How many statements of somebody who is not in the circle are kept that no removal lists;
    /// of all together who never were in it, as many.
    package static let strangeStatementLimit = 32

    /// Those of new statements that are kept.
    ///
    /// A removed peer goes on writing, and whoever it adds writes too: all that would be told again
    /// by every member, for ever. If they count after all, their streams are read again.
    ///
    /// - Source: Documentation/Spec/sync.md §4.
    func kept(_ new: [Statement]) -> [Statement] {
        guard let circle else { return new }
        let strange = new.filter {
            !circle.hasMember($0.author) && $0.author != circle.recoveryName
        }
        guard !strange.isEmpty else { return new }
        let listed = listedStatements(circle)
        var counts: [PeerName?: Int] = [:]
        for known in memory.statements.values where !listed.contains(known.digest) {
            counts[circle.stranger(known.author), default: 0] += 1
        }
        var left: Set<SyncDigest> = []
        for statement in strange where !listed.contains(statement.digest) {
            let author = circle.stranger(statement.author)
            if counts[author, default: 0] >= Self.strangeStatementLimit {
                left.insert(statement.digest)
            }
            counts[author, default: 0] += 1
        }
        return new.filter { !left.contains($0.digest) }
    }

    /// The statements of removed peers, and of earlier recovery keys, that count.
    private func listedStatements(_ circle: Circle) -> Set<SyncDigest> {
        memory.statements.values.reduce(into: []) { listed, statement in
            guard !circle.uncounted.contains(statement.digest) else { return }
            switch statement.action {
            case .remove(_, _, let counted): listed.formUnion(counted ?? [])
            case .recover(_, let counted): listed.formUnion(counted)
            case .found, .add, .rotate: return
            }
        }
    }
}

extension Circle {
    /// Whose statements are counted together: those of one peer that was in the circle, or of all
    /// who never were.
    fileprivate func stranger(_ author: PeerName) -> PeerName? {
        guard let peer = peers[author], peer.entryCount == nil || peer.removedBy != nil else {
            return nil
        }
        return author
    }
}
