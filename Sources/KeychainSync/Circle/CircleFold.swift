import Cryptography

/// Makes a circle of statements: sorts them, takes those that count, and begins again where a
/// removal takes back what was taken.
///
/// - Source: Documentation/Spec/sync.md §4.
struct CircleFold {
    private let founding: Statement
    /// The others, by generation, then by digest.
    private let generations: [[Statement]]
    private let nextGeneration: UInt64
    private let ranks: CircleRanks
    private var leftOut: LeftOutStatements

    init?(founding: SyncDigest, statements: some Collection<Statement>) {
        guard let first = statements.first(where: { $0.digest == founding }) else { return nil }
        self.founding = first
        let others = statements.filter { $0.digest != founding }.sorted {
            ($0.generation, $0.digest) < ($1.generation, $1.digest)
        }
        var generations: [[Statement]] = []
        var greatest = first.generation
        for statement in others {
            // Who wrote it knew one of the generation before, and told it too.
            guard statement.generation <= greatest || statement.generation - greatest == 1 else {
                break
            }
            if generations.last?.first?.generation != statement.generation {
                generations.append([])
            }
            generations[generations.count - 1].append(statement)
            greatest = max(greatest, statement.generation)
        }
        self.generations = generations
        ranks = CircleRanks(first, others)
        leftOut = LeftOutStatements(of: others.count)
        nextGeneration = greatest == .max ? .max : greatest + 1
    }

    /// The circle; it begins again as long as more statements are to be left out.
    consuming func circle() throws(CryptographyError) -> Circle? {
        while true {
            guard var round = try Round(founding, nextGeneration, ranks) else { return nil }
            guard let takenBack = try round.take(generations, without: leftOut.digests) else {
                if leftOut.giveBack(unless: round.counted) { continue }
                return try round.finished(generations)
            }
            leftOut.leaveOut(takenBack)
        }
    }
}

/// One walk over the sorted statements.
private struct Round {
    private var circle: Circle
    private let ranks: CircleRanks
    /// The statements that removed members.
    private var removals: [PeerName: SyncDigest] = [:]
    /// The statements that were taken, by their authors.
    private var taken: [PeerName: [Statement]] = [:]
    /// The statements that added members.
    private var adds: [PeerName: SyncDigest] = [:]
    /// The authors of the statements that brought recovery keys.
    private var replacers: [PeerName: PeerName] = [:]

    init?(
        _ founding: Statement,
        _ nextGeneration: UInt64,
        _ ranks: CircleRanks
    ) throws(CryptographyError) {
        self.ranks = ranks
        guard case .found(_, let keys, let deviceName, let recovery) = founding.action else {
            return nil
        }
        let founder = try keys.name()
        guard founder == founding.author else { return nil }
        circle = Circle(
            recovery: recovery,
            named: try recovery.name(),
            nextGeneration: nextGeneration
        )
        circle.peers[founder] = Circle.Peer(keys: keys, deviceName: deviceName, addedBy: nil)
    }

    /// Takes what counts.
    ///
    /// - Returns: What a removal takes back; nil if there is nothing of the kind, so that this is
    ///   the last round.
    mutating func take(
        _ generations: [[Statement]],
        without leftOut: Set<SyncDigest>
    ) throws(CryptographyError) -> TakenBack? {
        for generation in generations {
            let recoveryName = circle.recoveryName
            let sorted =
                generation.filter { $0.author == recoveryName }
                + generation.filter { $0.author != recoveryName }
            for statement in sorted where !leftOut.contains(statement.digest) {
                guard circle.hasMember(statement.author) || statement.author == circle.recoveryName
                else {
                    if let overruled = overruled(by: statement) {
                        return TakenBack([overruled], by: nil)
                    }
                    continue
                }
                if let takenBack = try take(statement) { return takenBack }
            }
        }
        return nil
    }

    /// The statements that were taken.
    var counted: Set<SyncDigest> { Set(taken.values.joined().map(\.digest)) }

    /// What removed the author of this removal, if that has no weight against it: the author is
    /// above the peer that it removes, and was removed by this one, or by somebody whom it brought
    /// in.
    private func overruled(by statement: Statement) -> SyncDigest? {
        guard case .remove(let peer, _, let counted) = statement.action,
            ranks.isAbove(statement.author, peer)
        else { return nil }
        return removal(of: statement.author, through: peer, unlessIn: counted)
    }

    /// What removed a peer, if that was by `suspect`, or by a peer or a recovery key that it
    /// brought in, directly or through others.
    private func removal(
        of peer: PeerName,
        through suspect: PeerName,
        unlessIn listed: [SyncDigest]?
    ) -> SyncDigest? {
        guard let removal = removals[peer], listed?.contains(removal) != true else { return nil }
        var next = circle.peers[peer]?.removedBy
        // An earlier recovery key can be added like a peer, also by somebody whom it added.
        var seen: Set<PeerName> = []
        while let remover = next, seen.insert(remover).inserted {
            if remover == suspect { return removal }
            next = circle.peers[remover].map(\.addedBy) ?? replacers[remover]
        }
        return nil
    }

    /// The statements without which a peer would not be a member; it cannot take them back.
    private func ancestry(of peer: PeerName) -> Set<SyncDigest> {
        var needed: Set<SyncDigest> = []
        var next: PeerName? = peer
        while let peer = next, let add = adds[peer], needed.insert(add).inserted {
            next = circle.peers[peer]?.addedBy
        }
        return needed
    }

    private mutating func take(
        _ statement: Statement
    ) throws(CryptographyError) -> TakenBack? {
        switch statement.action {
        case .found: return nil
        case .add(let keys, let deviceName):
            let name = try keys.name()
            guard circle.peers[name] == nil, name != circle.recoveryName else { return nil }
            circle.peers[name] = Circle.Peer(
                keys: keys,
                deviceName: deviceName,
                addedBy: statement.author
            )
            adds[name] = statement.digest
        case .remove(let peer, let entryCount, let counted):
            guard circle.hasMember(peer) else {
                // Nobody escapes a removal by being gone already.
                return removal(of: peer, through: peer, unlessIn: counted)
                    .map { TakenBack([$0], by: statement.digest) }
            }
            let needed = ancestry(of: statement.author)
            let beyond = taken[peer, default: []].filter {
                let isBeyond = counted.map { [digest = $0.digest] in !$0.contains(digest) }
                return isBeyond ?? ($0.entry >= entryCount) && !needed.contains($0.digest)
            }
            guard beyond.isEmpty else {
                return TakenBack(beyond.map(\.digest), by: statement.digest)
            }
            circle.peers[peer]?.entryCount = entryCount
            circle.peers[peer]?.removedBy = statement.author
            removals[peer] = statement.digest
        case .rotate(let name, let readers):
            guard !circle.epochs.contains(where: { $0.name == name }) else { return nil }
            circle.epochs.append(
                Circle.Epoch(
                    name: name,
                    maker: statement.author,
                    entry: statement.entry,
                    recipients: Set(readers.recipients),
                    removed: Set(readers.removed ?? []),
                    isClean: false
                )
            )
            // Of a removed peer an epoch is old at once; nothing has to be taken back.
            return nil
        case .recover(let keys, let counted):
            let needed = ancestry(of: statement.author)
            let others = taken[circle.recoveryName, default: []].filter {
                !counted.contains($0.digest) && !needed.contains($0.digest)
            }
            guard others.isEmpty else {
                return TakenBack(others.map(\.digest), by: statement.digest)
            }
            circle.recovery = keys
            circle.recoveryName = try keys.name()
            replacers[circle.recoveryName] = statement.author
        }
        taken[statement.author, default: []].append(statement)
        return nil
    }

    /// The circle, with the epochs marked that no removed peer can have, and with those who were
    /// added by somebody who could not.
    consuming func finished(_ generations: [[Statement]]) throws(CryptographyError) -> Circle {
        for statement in generations.joined() {
            guard case .add(let keys, let deviceName) = statement.action else { continue }
            let name = try keys.name()
            guard circle.peers[name] == nil, name != circle.recoveryName else { continue }
            circle.peers[name] = Circle.Peer(
                keys: keys,
                deviceName: deviceName,
                addedBy: statement.author,
                entryCount: 0
            )
        }
        let counted = counted
        circle.uncounted = Set(
            generations.joined().filter(\.takesAway).map(\.digest)
        ).subtracting(counted)
        let removed = Set(circle.removed)
        for index in circle.epochs.indices {
            let epoch = circle.epochs[index]
            circle.epochs[index].isClean =
                circle.hasMember(epoch.maker)
                && epoch.recipients.contains(circle.recoveryName)
                && epoch.recipients.isDisjoint(with: removed)
                && removed.isSubset(of: epoch.removed)
        }
        return circle
    }
}
