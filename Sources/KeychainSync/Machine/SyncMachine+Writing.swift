import Cryptography

extension SyncMachine {
    /// How many changes a segment has at most.
    package static let changeCountLimit = 512

    /// What the peer's own stream consists of.
    package var ownHead: StreamHead { memory.streams[memory.peer]?.head ?? .none }

    /// What has to be written next; nil if the others know everything, or if this peer has to
    /// wait for a key.
    package func nextEntry() -> EntryPlan? {
        guard let circle, circle.hasMember(memory.peer) else { return nil }
        let owed = owedKeys()
        guard owed.isEmpty else { return .keys(owed) }
        guard let segment = nextSegment() else { return nil }
        switch sealing(circle) {
        case .under(let epoch): return .segment(segment, under: epoch)
        case .make(let earlier):
            return .epoch(circle.epochReaders, statementSegment(), under: earlier)
        case .wait: return nil
        }
    }

    /// A segment without changes, for a statement that a person makes, and the epoch for it.
    ///
    /// The statement's generation is the circle's next one, its entry the count of `ownHead`.
    /// A removed peer can read its removal, and nothing that comes later.
    package func segmentForStatement() -> (Segment<ChangeMark>, under: EpochName)? {
        guard let circle else { return nil }
        let held = circle.epochs.filter { memory.epochs.contains($0.name) }
        guard let epoch = held.last(where: \.isClean) ?? held.last else { return nil }
        return (statementSegment(), under: epoch.name)
    }

    /// The statement that removes a peer, or this one itself.
    ///
    /// What was read of its stream counts, and every statement of it that is known. What a peer
    /// says of the place of a statement is no matter: it can be a lie.
    package func removal(of peer: PeerName) -> Statement.Action {
        let read = memory.streams[peer]?.head.entryCount ?? 0
        // The statement is in the next entry.
        let own = peer == memory.peer ? ownHead.entryCount + 1 : 0
        let known = memory.statements.values.filter { $0.author == peer }
            .sorted { ($0.generation, $0.digest) < ($1.generation, $1.digest) }
            .prefix(StatementFormat.digestCountLimit)
        return .remove(peer, entryCount: max(read, own), counted: known.map(\.digest).sorted())
    }

    private enum Sealing {
        case under(EpochName)
        case make(under: EpochName)
        case wait
    }

    private func sealing(_ circle: Circle) -> Sealing {
        let held = circle.epochs.filter { memory.epochs.contains($0.name) }
        guard let newest = held.last?.name ?? memory.epochs.min() else { return .wait }
        // A peer that was a member for a while, because two removed each other, may have the key
        // of an epoch that was made without it.
        let given = circle.peers.filter { $0.value.entryCount != nil }.keys
            .reduce(into: Set<EpochName>()) { $0.formUnion(memory.sentKeys[$1] ?? []) }
        if let clean = held.last(where: { $0.isClean && !given.contains($0.name) }) {
            return .under(clean.name)
        }
        // The key is in the maker's stream before the statement.
        let isComing = circle.epochs.contains { epoch in
            epoch.isClean && !held.contains(epoch) && epoch.recipients.contains(memory.peer)
                && circle.hasMember(epoch.maker)
                && isUnread(EntryPlace(epoch.maker, epoch.entry))
        }
        return isComing ? .wait : .make(under: newest)
    }

    /// Whether the relay or somebody's head shows an entry that was not read yet.
    private func isUnread(_ place: EntryPlace) -> Bool {
        let stream = memory.streams[place.peer]
        let shown = max(stream?.claims.keys.max() ?? 0, listing[place.peer]?.upperBound ?? 0)
        return stream?.head.entryCount ?? 0 <= place.number && place.number < shown
    }

    // MARK: Segments

    /// A segment with what its author has read, and the statements that it did not tell yet.
    private func statementSegment() -> Segment<ChangeMark> {
        var segment = Segment<ChangeMark>()
        for (peer, stream) in memory.streams where peer != memory.peer {
            if stream.head.entryCount > 0 { segment.heads[peer] = stream.head }
        }
        if memory.own.told.count < memory.statements.count {
            segment.statements = memory.statements.values
                .filter { !memory.own.told.contains($0.digest) }
                .sorted { ($0.generation, $0.digest) < ($1.generation, $1.digest) }
        }
        return segment
    }

    private func nextSegment() -> Segment<ChangeMark>? {
        let isContinued = memory.own.checkpoint != nil && !memory.own.isCheckpointComplete
        let isCheckpoint = isContinued || isCheckpointDue()
        guard isCheckpoint || !unpublished.isEmpty else { return nil }
        var items = unpublished
        if isCheckpoint {
            let end = isContinued ? memory.own.checkpoint ?? 0 : ownHead.entryCount
            items.formUnion(itemsOfOwnEntries(before: end))
        }
        var segment = statementSegment()
        if isCheckpoint && !isContinued {
            segment.statements = memory.statements.values.sorted {
                ($0.generation, $0.digest) < ($1.generation, $1.digest)
            }
        }
        segment.isCheckpoint = isCheckpoint
        segment.changes = items.sorted().prefix(Self.changeCountLimit).compactMap {
            memory.versions[$0]?.mark
        }
        return segment
    }

    /// The items whose winning version is in an entry of the peer's own before this one.
    private func itemsOfOwnEntries(before end: UInt64) -> Set<ItemName> {
        var items: Set<ItemName> = []
        for (item, known) in memory.versions {
            guard known.source?.peer == memory.peer, known.source?.number ?? end < end else {
                continue
            }
            guard rules.checkpointsAreWhole || item.bytes.last.map({ $0 & 1 }) == 0 else {
                continue
            }
            items.insert(item)
        }
        return items
    }

    /// More than half of the changes of the stream have been overtaken.
    private func isCheckpointDue() -> Bool {
        let own = memory.own
        guard own.segmentCount >= checkpointSegmentCount else { return false }
        let winning = memory.versions.values.count { $0.source?.peer == memory.peer }
        return winning * 2 < own.changeCount
    }

    // MARK: What was written

    mutating func wrote(
        _ place: EntryPlace,
        _ digest: SyncDigest,
        _ segment: Segment<ChangeMark>
    ) throws(CryptographyError) -> [SyncAction] {
        guard place.peer == memory.peer, place.number == ownHead.entryCount else { return [] }
        let actions = step(place, digest)
        let isNewCheckpoint =
            segment.isCheckpoint
            && (memory.own.checkpoint == nil || memory.own.isCheckpointComplete)
        if isNewCheckpoint { beginCheckpoint(at: place.number) }
        noteOwn(segment)
        for mark in segment.changes {
            guard var known = memory.versions[mark.item], known.mark == mark else { continue }
            known.source = place
            keep(known)
        }
        if segment.isCheckpoint, let checkpoint = memory.own.checkpoint {
            memory.own.isCheckpointComplete = itemsOfOwnEntries(before: checkpoint).isEmpty
        }
        return try actions + learn(segment.statements)
    }

    private mutating func beginCheckpoint(at number: UInt64) {
        memory.own.checkpoint = number
        memory.own.segmentCount = 0
        memory.own.changeCount = 0
        memory.own.told = []
        memory.own.farewells = [:]
        // The entries with these keys go; who comes later needs them again.
        changes.sentKeys.formUnion(memory.sentKeys.keys)
        memory.sentKeys = [:]
    }

    /// Counts what a segment of the peer's own stream has.
    mutating func noteOwn(_ segment: Segment<ChangeMark>) {
        memory.own.segmentCount += 1
        memory.own.changeCount += segment.changes.count
        memory.own.told.formUnion(segment.statements.lazy.map(\.digest))
        changes.own = true
    }

    mutating func wroteKeys(
        _ place: EntryPlace,
        _ digest: SyncDigest,
        _ keys: [PeerName: Set<EpochName>]
    ) -> [SyncAction] {
        guard place.peer == memory.peer, place.number == ownHead.entryCount else { return [] }
        for (peer, epochs) in keys {
            if let circle, circle.peers[peer]?.entryCount != nil {
                memory.own.farewells[peer] = circle.uncounted
                changes.own = true
            }
            memory.sentKeys[peer, default: []].formUnion(epochs)
            changes.sentKeys.insert(peer)
        }
        return step(place, digest)
    }

    mutating func wroteOther(_ place: EntryPlace, _ digest: SyncDigest) -> [SyncAction] {
        guard place.peer == memory.peer, place.number == ownHead.entryCount else { return [] }
        return step(place, digest)
    }

    mutating func withdrew(to head: StreamHead) -> [SyncAction] {
        guard head.entryCount < ownHead.entryCount else { return [] }
        memory.streams[memory.peer]?.goBack(to: head)
        changes.streams.insert(memory.peer)
        for var known in memory.versions.values {
            guard known.source?.peer == memory.peer, let number = known.source?.number,
                number >= head.entryCount
            else { continue }
            known.source = nil
            keep(known)
        }
        memory.own.told = []
        memory.own.farewells = [:]
        if let checkpoint = memory.own.checkpoint, checkpoint >= head.entryCount {
            memory.own.checkpoint = nil
        }
        changes.own = true
        changes.sentKeys.formUnion(memory.sentKeys.keys)
        memory.sentKeys = [:]
        return []
    }
}
