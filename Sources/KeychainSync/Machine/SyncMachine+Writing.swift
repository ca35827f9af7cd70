extension SyncMachine {
    /// The most changes that this device writes into a segment.
    package static let changeCountLimit = 512
    /// The most heads that a segment has.
    package static let headCountLimit = 64

    /// The end of the device's own stream.
    package var ownHead: StreamHead { memory.streams[memory.stream]?.head ?? .none }

    /// The place of the next entry of the device's own stream.
    package var ownPlace: EntryPlace { EntryPlace(memory.stream, ownHead.entryCount) }

    /// Returns the next thing to write; nil if nothing is due, or if this device has to wait.
    ///
    /// Links come first, unless `makesLinks` is false because one could not be made.
    package func nextPlan(makesLinks: Bool = true) -> WritePlan? {
        guard let head = chain.head, isMember(memory.peer),
            memory.keys.contains(head.state.keyName)
        else { return nil }
        if makesLinks, let changes = owedChanges() { return .link(changes) }
        guard unknownLinks.isEmpty, let segment = nextSegment() else { return nil }
        return .segment(segment, link: head.link.digest, under: head.state.keyName)
    }

    /// Returns a segment without changes, with heads that this device has not reported yet.
    private func emptySegment() -> Segment<ChangeMark> {
        var segment = Segment<ChangeMark>()
        for name in memory.own.untoldHeads.sorted() where isMember(name.device) {
            guard segment.heads.count < Self.headCountLimit else { break }
            guard let head = memory.streams[name]?.head, head.entryCount > 0 else { continue }
            segment.heads[name] = head
        }
        return segment
    }

    private func nextSegment() -> Segment<ChangeMark>? {
        let isContinued = memory.own.checkpoint != nil && !memory.own.isCheckpointComplete
        let isCheckpoint = isContinued || memory.own.owesCheckpoint || isCheckpointDue()
        guard isCheckpoint || !unpublished.isEmpty || owesStand else { return nil }
        var items = unpublished
        if isCheckpoint {
            let end = isContinued ? memory.own.checkpoint ?? 0 : ownHead.entryCount
            items.formUnion(itemsOfOwnEntries(before: end))
        }
        var segment = emptySegment()
        segment.isCheckpoint = isCheckpoint
        segment.changes = items.sorted().prefix(Self.changeCountLimit).compactMap {
            memory.versions[$0]?.mark
        }
        return segment
    }

    /// Whether others wait for a segment after a removal that this device signed.
    private var owesStand: Bool {
        let stand = memory.streams[memory.stream]?.stand
        let stood = stand.flatMap { chain.place(of: $0) } ?? -1
        return memory.own.said.contains { digest in
            guard let place = chain.place(of: digest), place > stood else { return false }
            return chain.link(digest)?.changes.removed.isEmpty == false
        }
    }

    /// Returns the items whose winning version is in the own stream, before entry `end`.
    ///
    /// It leaves out old tombstones that every member has read.
    private func itemsOfOwnEntries(before end: UInt64) -> Set<ItemName> {
        var items: Set<ItemName> = []
        for (item, known) in memory.versions {
            guard known.source?.stream == memory.stream, known.source?.number ?? end < end,
                !isSpent(known)
            else { continue }
            guard rules.checkpointsAreWhole || item.bytes.last.map({ $0 & 1 }) == 0 else {
                continue
            }
            items.insert(item)
        }
        return items
    }

    /// Whether a version is a tombstone older than a year that every member has read.
    private func isSpent(_ known: KnownVersion) -> Bool {
        guard known.mark.isTombstone, let source = known.source, chain.contains(known.link),
            isOld(Int64(clamping: known.mark.version.stamp.milliseconds)), let circle
        else { return false }
        let claims = memory.streams[memory.stream]?.claims ?? [:]
        return circle.members.keys.allSatisfy {
            $0 == memory.peer || claims[$0]?.entryCount ?? 0 > source.number
        }
    }

    /// Whether more than half of the changes in a long enough stream were overtaken.
    private func isCheckpointDue() -> Bool {
        let own = memory.own
        guard own.segmentCount >= rules.checkpointSegmentCount else { return false }
        let winning = memory.versions.values.count { $0.source?.stream == memory.stream }
        return winning * 2 < own.changeCount
    }

    // MARK: Recorded entries

    mutating func wrote(_ entry: EntryMark, _ segment: Segment<ChangeMark>) -> [SyncAction] {
        let place = entry.place
        guard place == ownPlace else { return [] }
        let actions = step(entry)
        let isNewCheckpoint =
            segment.isCheckpoint
            && (memory.own.checkpoint == nil || memory.own.isCheckpointComplete)
        if isNewCheckpoint {
            forgetSpent(before: place.number)
            memory.own.checkpoint = place.number
            memory.own.isCheckpointComplete = false
            memory.own.owesCheckpoint = false
            memory.own.segmentCount = 0
            memory.own.changeCount = 0
        }
        if place.number == memory.own.checkpoint { memory.own.checkpointLink = entry.link }
        memory.own.segmentCount += 1
        memory.own.changeCount += segment.changes.count
        memory.own.untoldHeads.subtract(segment.heads.keys)
        changes.own = true
        for mark in segment.changes {
            guard let known = memory.versions[mark.item], known.mark == mark else { continue }
            keep(KnownVersion(mark, from: place, link: entry.link, isHeld: known.isHeld))
        }
        if segment.isCheckpoint, let checkpoint = memory.own.checkpoint {
            // A stream that replaces another one begins with everything that this device told
            // before.
            memory.own.isCheckpointComplete =
                itemsOfOwnEntries(before: checkpoint).isEmpty
                && (checkpoint > 0 || unpublished.isEmpty)
        }
        return actions
    }

    /// Forgets the old tombstones that a new checkpoint leaves out.
    private mutating func forgetSpent(before end: UInt64) {
        for (item, known) in memory.versions
        where known.source?.stream == memory.stream && known.source?.number ?? end < end
            && isSpent(known)
        {
            memory.versions[item] = nil
            changes.versions.insert(item)
        }
    }
}
