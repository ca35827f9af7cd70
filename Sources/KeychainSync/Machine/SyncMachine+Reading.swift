extension SyncMachine {
    /// The streams of members that had unread entries at the last listing.
    package func streamsToRead() -> [StreamRead] {
        listing.keys.sorted().compactMap { streamToRead($0) }
    }

    /// Returns the unread range of one stream; nil if nothing may be read now.
    ///
    /// As long as items are missing, it is nil for every stream: they need tombstones first.
    package func streamToRead(_ stream: StreamName) -> StreamRead? {
        guard missing.isEmpty, isMember(stream.device), stream != memory.stream,
            let range = listing[stream]
        else { return nil }
        let head = memory.streams[stream]?.head ?? .none
        let first = max(head.entryCount, range.lowerBound)
        guard first < range.upperBound else { return nil }
        return StreamRead(stream, after: head, first: first, end: range.upperBound)
    }

    /// The way to handle the next entry of a stream.
    package enum EntryTurn: Sendable {
        /// Open it with this key.
        case open(SealName)
        /// Skip it, because it does not count; report it with `passedOver`.
        case passOver(EntryFault)
        /// Stop reading the stream for now.
        case wait(EntryFault)
    }

    /// Returns the way to handle an entry that names this link.
    package func turn(of link: SyncDigest) -> EntryTurn {
        guard let name = chain.seal(at: link) else {
            return chain.knows(link) ? .passOver(.linkNotChosen(link)) : .wait(.unknownLink(link))
        }
        return memory.keys.contains(name) ? .open(name) : .wait(.keyMissing(name))
    }

    /// Records that a member names a link that the relay does not show.
    package mutating func note(unknownLink link: SyncDigest, of stream: StreamName) {
        unknownLinks[stream.device] = link
    }

    /// Whether a segment has a change that is too far ahead of the clock.
    package func isAhead(_ segment: Segment<ChangeMark>) -> Bool {
        segment.changes.contains { isAhead($0.version.stamp) }
    }

    /// Whether a stamp is too far ahead of the clock.
    func isAhead(_ stamp: Stamp) -> Bool {
        guard rules.limitsStamps else { return false }
        return stamp.milliseconds > UInt64(clamping: now + Self.aheadMillisecondsLimit)
    }

    /// Whether others hold back entries of this device because its clock was ahead.
    ///
    /// It is false if another device also told a version that is ahead: this clock may be behind.
    var wasClockAhead: Bool {
        guard rules.limitsStamps, now >= Self.earliestMilliseconds else { return false }
        var isOwnAhead = false
        for known in memory.versions.values where isAhead(known.mark.version.stamp) {
            guard let source = known.source else { continue }
            guard source.stream.device == memory.peer else { return false }
            if source.stream == memory.stream { isOwnAhead = true }
        }
        return isOwnAhead
    }

    mutating func listed(_ listing: [StreamName: Range<UInt64>]) -> [SyncAction] {
        self.listing = listing
        unknownLinks = [:]
        listingCount += 1
        if listingCount == 2 { isTellingDue = true }
        var actions: [SyncAction] = []
        let writers = Set(listing.keys.map(\.device))
        for name in memory.streams.keys.sorted()
        where name != memory.stream && isMember(name.device) {
            guard let stream = memory.streams[name] else { continue }
            let count = listing[name]?.upperBound ?? 0
            // The device replaced this stream with another one.
            if count == 0, writers.contains(name.device) { continue }
            if count < stream.head.entryCount {
                let known = stream.head.entryCount
                actions.append(.tell(.rolledBack(name, known: known, listed: count)))
            } else if let claimed = stream.claims.values.map(\.entryCount).max(), claimed > count {
                actions.append(.tell(.withheld(name, claimed: claimed, listed: count)))
            }
        }
        return actions + listedOwn(listing[memory.stream] ?? 0..<0)
    }

    private mutating func listedOwn(_ range: Range<UInt64>) -> [SyncAction] {
        let count = ownHead.entryCount
        if range.upperBound > count {
            return [.tell(.restored(known: count, listed: range.upperBound)), .begin]
        }
        if range.upperBound < memory.own.publishedCount {
            let known = memory.own.publishedCount
            // This state is an old one: the device has replaced its stream since.
            if range.isEmpty, listing.keys.contains(where: { $0.device == memory.peer }) {
                return [.tell(.restored(known: count, listed: 0)), .begin]
            }
            return [.tell(.rolledBack(memory.stream, known: known, listed: range.upperBound))]
        }
        if range.upperBound > memory.own.publishedCount {
            memory.own.publishedCount = range.upperBound
            changes.own = true
        }
        if range.upperBound == count, wasClockAhead { return [.tell(.clockWasAhead), .begin] }
        guard
            let checkpoint = memory.own.checkpoint, memory.own.isCheckpointComplete,
            range.lowerBound < checkpoint, range.upperBound == count
        else { return [] }
        return [.trim(before: checkpoint)]
    }

    /// The earlier streams of this device on the relay, once the present stream contains all of
    /// them.
    package var replacedStreams: [StreamName] {
        guard memory.own.checkpoint != nil, memory.own.isCheckpointComplete,
            listing[memory.stream]?.upperBound == ownHead.entryCount
        else { return [] }
        return listing.keys.sorted().filter {
            $0.device == memory.peer && $0 != memory.stream
        }
    }

    mutating func read(
        _ entry: EntryMark,
        _ segment: Segment<ChangeMark>,
        foreign: Set<ItemName>
    ) -> [SyncAction] {
        let place = entry.place
        guard let next = streamToRead(place.stream), next.first == place.number,
            place.number == next.after.entryCount || segment.isCheckpoint
        else { return [] }
        let actions = step(entry) + compare(segment.heads, toldBy: place.stream.device)
        for change in segment.changes {
            let isForeign = foreign.contains(change.item)
            merge(change, from: entry, isForeign: isForeign)
        }
        return actions
    }

    mutating func passedOver(_ entry: EntryMark) -> [SyncAction] {
        guard let next = streamToRead(entry.place.stream), next.first == entry.place.number,
            next.first == next.after.entryCount
        else { return [] }
        let stream = entry.place.stream
        if entry.link != .zeros, memory.streams[stream]?.skipped[entry.link] == nil {
            memory.streams[stream, default: StreamMemory()].skipped[entry.link] = next.after
        }
        return step(entry)
    }

    /// Moves the head of a stream past an entry, and reports forks.
    mutating func step(_ entry: EntryMark) -> [SyncAction] {
        let stream = entry.place.stream
        changes.streams.insert(stream)
        if stream != memory.stream, memory.own.untoldHeads.insert(stream).inserted {
            changes.own = true
        }
        if memory.streams[stream]?.stand != entry.link, !chain.removals.isEmpty {
            isTellingDue = true
        }
        let forkers = memory.streams[stream, default: StreamMemory()].step(over: entry)
        return forkers.map { .tell(.forked(entry.place, by: $0)) }
    }

    private mutating func compare(
        _ heads: [StreamName: StreamHead],
        toldBy author: KeyName
    ) -> [SyncAction] {
        var actions: [SyncAction] = []
        // Heads for unknown devices are not kept, because there could be any number of them.
        for (name, head) in heads
        where name.device != author && head.entryCount > 0 && isMember(name.device) {
            guard listing[name] != nil || memory.streams[name] != nil else { continue }
            changes.streams.insert(name)
            if memory.streams[name, default: StreamMemory()].compare(head, toldBy: author) {
                let place = EntryPlace(name, head.entryCount - 1)
                actions.append(.tell(.forked(place, by: author)))
            }
        }
        return actions
    }
}

extension StreamMemory {
    /// Moves the head back before the first skipped entry that now counts.
    ///
    /// - Returns: Whether there is such an entry.
    mutating func goBack(on chain: CircleChain) -> Bool {
        let places = skipped.filter { chain.contains($0.key) }.values
        guard let first = places.min(by: { $0.entryCount < $1.entryCount }) else { return false }
        recent.removeLast(min(recent.count, Int(clamping: head.entryCount - first.entryCount)))
        head = first
        skipped = skipped.filter { $0.value.entryCount < first.entryCount }
        return true
    }

    /// Moves the head past an entry.
    ///
    /// - Returns: The devices that read a different entry there; each is returned once for a
    ///   stream.
    mutating func step(over entry: EntryMark) -> [KeyName] {
        let number = entry.place.number
        if number != head.entryCount { recent = [] }
        head = StreamHead(entryCount: number + 1, digest: entry.digest)
        stand = entry.link
        if recent.count == Self.recentCount { recent.removeFirst() }
        recent.append(entry.digest)
        var forkers: [KeyName] = []
        for (author, claim) in claims.sorted(by: { $0.key < $1.key })
        where claim.entryCount == number + 1 && claim.digest != entry.digest {
            if forkedBy.insert(author).inserted { forkers.append(author) }
        }
        return forkers
    }

    /// Records the head that another device reported.
    ///
    /// - Returns: Whether that device read a different entry, and this is its first fork here.
    mutating func compare(_ other: StreamHead, toldBy author: KeyName) -> Bool {
        claims[author] = other
        guard other.entryCount <= head.entryCount else { return false }
        let back = Int(clamping: head.entryCount - other.entryCount)
        guard back < recent.count, recent[recent.count - 1 - back] != other.digest else {
            return false
        }
        return forkedBy.insert(author).inserted
    }
}
