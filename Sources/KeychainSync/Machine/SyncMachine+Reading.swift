import Cryptography

extension SyncMachine {
    /// The streams that have something to be read, as of the last listing.
    ///
    /// A stream whose next segment cannot be opened waits for its key, which may be in a box
    /// further on in any stream.
    package func streamsToRead() -> [StreamRead] {
        guard let circle, missing.isEmpty else { return [] }
        return circle.peers.keys.sorted().compactMap { streamToRead($0) }
    }

    /// The same of one stream.
    package func streamToRead(_ peer: PeerName) -> StreamRead? {
        guard missing.isEmpty, circle?.peers[peer] != nil, let range = listing[peer] else {
            return nil
        }
        let head = memory.streams[peer]?.head ?? .none
        let first = max(head.entryCount, range.lowerBound)
        return first < range.upperBound ? StreamRead(peer, after: head, first: first) : nil
    }

    mutating func listed(_ listing: [PeerName: Range<UInt64>]) -> [SyncAction] {
        self.listing = listing
        var actions: [SyncAction] = []
        for peer in memory.streams.keys.sorted() where peer != memory.peer && isMember(peer) {
            guard let stream = memory.streams[peer] else { continue }
            let count = listing[peer]?.upperBound ?? 0
            if count < stream.head.entryCount {
                let known = stream.head.entryCount
                actions.append(.tell(.rolledBack(peer, known: known, listed: count)))
            } else if let claimed = stream.claims.keys.max(), claimed > count {
                actions.append(.tell(.withheld(peer, claimed: claimed, listed: count)))
            }
        }
        return actions + listedOwn(listing[memory.peer] ?? 0..<0)
    }

    private mutating func listedOwn(_ range: Range<UInt64>) -> [SyncAction] {
        let count = ownHead.entryCount
        if range.upperBound > count {
            return [.tell(.restored(known: count, listed: range.upperBound))]
        }
        if range.upperBound < memory.own.publishedCount {
            let known = memory.own.publishedCount
            return [.tell(.rolledBack(memory.peer, known: known, listed: range.upperBound))]
        }
        if range.upperBound > memory.own.publishedCount {
            memory.own.publishedCount = range.upperBound
            changes.own = true
        }
        guard
            let checkpoint = memory.own.checkpoint, memory.own.isCheckpointComplete,
            range.lowerBound < checkpoint, range.upperBound == count, owedKeys().isEmpty
        else { return [] }
        return [.trim(before: checkpoint)]
    }

    mutating func read(
        _ place: EntryPlace,
        _ digest: SyncDigest,
        _ segment: Segment<ChangeMark>,
        foreign: Set<ItemName>
    ) throws(CryptographyError) -> [SyncAction] {
        guard let next = streamToRead(place.peer), next.first == place.number else { return [] }
        if place.number > next.after.entryCount && !segment.isCheckpoint {
            return [.tell(.incomplete(place))]
        }
        var actions = step(place, digest)
        actions += try learn(segment.statements)
        // Who is not in the circle any more stops nobody with what it says of others.
        if circle?.counts(place) ?? false {
            actions += compare(segment.heads, toldBy: place.peer)
        }
        // If the statements bring a peer back, its stream is read again from where it ended.
        guard memory.streams[place.peer]?.head.entryCount == place.number + 1 else {
            return actions
        }
        if place.peer == memory.peer { noteOwn(segment) }
        guard takes(place, after: next.after) else { return actions }
        for change in segment.changes {
            merge(change, from: place, isForeign: foreign.contains(change.item))
        }
        return actions
    }

    mutating func readOther(_ place: EntryPlace, _ digest: SyncDigest) -> [SyncAction] {
        guard let next = streamToRead(place.peer), next.first == place.number else { return [] }
        guard place.number == next.after.entryCount else { return [.tell(.incomplete(place))] }
        let actions = step(place, digest)
        _ = takes(place, after: next.after)
        return actions
    }

    /// Whether changes of this entry are taken; if not, notes how far they were.
    private mutating func takes(_ place: EntryPlace, after before: StreamHead) -> Bool {
        guard memory.streams[place.peer]?.taken == nil else { return false }
        if !rules.endsRemovedStreams || circle?.counts(place) ?? false { return true }
        memory.streams[place.peer]?.taken = before
        return false
    }

    /// Moves the head of a stream behind an entry.
    mutating func step(_ place: EntryPlace, _ digest: SyncDigest) -> [SyncAction] {
        changes.streams.insert(place.peer)
        let isForked = memory.streams[place.peer, default: StreamMemory()].step(
            over: place.number,
            digest
        )
        return isForked ? [.tell(.forked(place))] : []
    }

    private mutating func compare(
        _ heads: [PeerName: StreamHead],
        toldBy author: PeerName
    ) -> [SyncAction] {
        var actions: [SyncAction] = []
        // What is said of strangers is not kept: there is no end of names.
        for (peer, head) in heads
        where peer != author && head.entryCount > 0 && circle?.peers[peer] != nil {
            switch memory.streams[peer, default: StreamMemory()].compare(head) {
            case .known: continue
            case .ahead: changes.streams.insert(peer)
            case .forked:
                changes.streams.insert(peer)
                let place = EntryPlace(peer, head.entryCount - 1)
                actions.append(.tell(.forked(place)))
            }
        }
        return actions
    }

    mutating func received(
        epochs: [EpochName],
        statements: [Statement]
    ) throws(CryptographyError) -> [SyncAction] {
        for epoch in epochs where memory.epochs.insert(epoch).inserted {
            changes.epochs = true
        }
        return try learn(statements)
    }

    /// Adds statements to those that are known, and follows if they change the circle.
    mutating func learn(_ statements: [Statement]) throws(CryptographyError) -> [SyncAction] {
        let new = kept(statements.filter { memory.statements[$0.digest] == nil })
        guard !new.isEmpty else { return [] }
        for statement in new {
            memory.statements[statement.digest] = statement
            changes.statements.insert(statement.digest)
        }
        let wasRemoved = isRemoved
        let earlier = circle
        circle = try Circle(founding: memory.founding, statements: memory.statements.values)
        guard circle != earlier else { return [] }
        guard circle?.peers != earlier?.peers else { return [] }
        if let circle, circle.removed != earlier?.removed { forgetClaims() }
        readAgain()
        findUnpublished()
        return isRemoved && !wasRemoved ? [.tell(.removed)] : []
    }

    /// Forgets what others said of streams: whoever is gone now may have lied, and the others say
    /// it again in their next segments.
    private mutating func forgetClaims() {
        for (peer, stream) in memory.streams where !stream.claims.isEmpty || stream.isForked {
            memory.streams[peer]?.claims = [:]
            memory.streams[peer]?.isForked = false
            changes.streams.insert(peer)
        }
    }

    /// Whether this peer was in the circle, and is not any more.
    package var isRemoved: Bool { circle?.peers[memory.peer]?.entryCount != nil }

    /// Goes back to where the changes of a stream were no more taken, if they count after all.
    private mutating func readAgain() {
        guard let circle else { return }
        for (peer, stream) in memory.streams {
            guard let taken = stream.taken, circle.counts(EntryPlace(peer, taken.entryCount)) else {
                continue
            }
            memory.streams[peer]?.goBack(to: taken)
            changes.streams.insert(peer)
        }
    }
}

extension StreamMemory {
    enum Comparison { case known, ahead, forked }

    /// Whether another reader had read another entry there; told once for a stream.
    mutating func step(over number: UInt64, _ digest: SyncDigest) -> Bool {
        if number != head.entryCount { recent = [] }
        head = StreamHead(entryCount: number + 1, digest: digest)
        if recent.count == Self.recentCount { recent.removeFirst() }
        recent.append(digest)
        guard !claims.isEmpty else { return false }
        let claim = claims[number + 1]
        claims = claims.filter { $0.key > number + 1 }
        guard let claim, claim != digest, !isForked else { return false }
        isForked = true
        return true
    }

    /// Compares with how far somebody else has read.
    mutating func compare(_ other: StreamHead) -> Comparison {
        let isOther: Bool
        if other.entryCount > head.entryCount {
            guard let claim = claims[other.entryCount] else {
                if claims.count < Self.recentCount { claims[other.entryCount] = other.digest }
                return .ahead
            }
            isOther = claim != other.digest
        } else {
            let back = Int(clamping: head.entryCount - other.entryCount)
            isOther = back < recent.count && recent[recent.count - 1 - back] != other.digest
        }
        guard isOther, !isForked else { return .known }
        isForked = true
        return .forked
    }

    mutating func goBack(to earlier: StreamHead) {
        recent.removeLast(min(recent.count, Int(clamping: head.entryCount - earlier.entryCount)))
        head = earlier
        taken = nil
    }
}
