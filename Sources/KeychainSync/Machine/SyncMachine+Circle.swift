// Applies the chain of links to items and streams.
//
// Source: Documentation/Spec/sync.md §3 to §5.
extension SyncMachine {
    func isMember(_ peer: KeyName) -> Bool { circle?.members[peer] != nil }

    /// Whether this device was in the circle and no longer is.
    package var isRemoved: Bool { !isMember(memory.peer) && chain.removals[memory.peer] != nil }

    /// Adds links, and brings streams and versions in step with the chain that results.
    mutating func linked(_ links: [Link]) throws(SyncError) -> [SyncAction] {
        let wasRemoved = isRemoved
        let stood = chain.head?.link.digest
        let copied = chain.forkers
        try chain.add(links)
        remember(links)
        guard chain.head?.link.digest != stood else { return copies(before: copied) }
        var actions = copies(before: copied)
        if let stood, !chain.contains(stood) { actions.append(.tell(.dropped(stood))) }
        listingCount = 0
        forgetStrangers()
        for name in memory.streams.keys where memory.streams[name]?.goBack(on: chain) == true {
            changes.streams.insert(name)
        }
        loseCheckpoint()
        findUnpublished()
        if isRemoved && !wasRemoved { actions.append(.tell(.removed)) }
        return actions
    }

    /// Records links that this device signed but does not remember, as after a restored backup.
    private mutating func remember(_ links: [Link]) {
        let said = Set(memory.own.said)
        let own = links.filter { link in
            !said.contains(link.digest) && chain.signers(of: link.digest).contains(memory.peer)
        }
        guard !own.isEmpty else { return }
        memory.own.said.insert(
            contentsOf: own.sorted { $0.number < $1.number }.map(\.digest),
            at: 0
        )
        changes.own = true
    }

    /// Drops the last checkpoint if its link is not on the chain, and makes another one due.
    ///
    /// New readers begin at the checkpoint, so it has to count.
    private mutating func loseCheckpoint() {
        let link = memory.own.checkpointLink
        guard rules.tellsAgain, link != .zeros, !chain.contains(link) else { return }
        memory.own.checkpoint = nil
        memory.own.isCheckpointComplete = false
        memory.own.checkpointLink = .zeros
        memory.own.owesCheckpoint = true
        changes.own = true
    }

    private func copies(before: Set<KeyName>) -> [SyncAction] {
        chain.forkers.subtracting(before).sorted().map { .tell(.copied($0)) }
    }

    /// Forgets the heads and forks that non-members reported: they may have lied.
    private mutating func forgetStrangers() {
        for (name, stream) in memory.streams {
            let strangers = Set(stream.claims.keys).union(stream.forkedBy).filter { !isMember($0) }
            guard !strangers.isEmpty else { continue }
            for stranger in strangers { memory.streams[name]?.claims[stranger] = nil }
            memory.streams[name]?.forkedBy.subtract(strangers)
            changes.streams.insert(name)
        }
    }

    /// Starts another stream, which begins with everything that this device told before.
    ///
    /// The device then reads its earlier stream from the beginning, because the relay may have
    /// other or fewer entries than the device wrote. If only the clock was ahead, it does not read
    /// that stream. In both cases it tells its versions again, and those too far ahead get the
    /// present time.
    mutating func begin(_ stream: StreamName) {
        let earlier = memory.own
        let isWhole = memory.own.publishedCount == ownHead.entryCount
        if !isWhole || !wasClockAhead { memory.streams[memory.stream] = nil }
        changes.streams.insert(memory.stream)
        memory.stream = stream
        memory.own = OwnStream()
        memory.own.said = earlier.said
        memory.own.leaving = earlier.leaving
        memory.own.checkpoint = 0
        memory.own.untoldHeads = Set(memory.streams.keys)
        memory.streams[stream] = StreamMemory()
        for known in memory.versions.values where known.source?.stream.device == memory.peer {
            keep(KnownVersion(dated(known.mark), isHeld: known.isHeld))
        }
        changes.streams.insert(stream)
        changes.own = true
    }

    /// Returns a change with the present time as its stamp if it is too far ahead of the clock.
    private func dated(_ mark: ChangeMark) -> ChangeMark {
        guard now >= Self.earliestMilliseconds, isAhead(mark.version.stamp),
            let stamp = Stamp(milliseconds: UInt64(clamping: now), counter: 0)
        else { return mark }
        return ChangeMark(
            item: mark.item,
            version: ItemVersion(stamp, mark.version.digest),
            isTombstone: mark.isTombstone
        )
    }

    // MARK: Versions to tell again

    /// Whether this device tells the others the versions of a former member.
    ///
    /// The signers of the removal do so. Other members wait until a signer has written an entry
    /// after the removal. They do not wait if no signer is a member now.
    private func tells(for gone: KeyName) -> Bool {
        guard let removal = chain.removals[gone], let place = chain.place(of: removal.link) else {
            return true
        }
        let signers = removal.signers.filter(isMember)
        guard !signers.isEmpty, !signers.contains(memory.peer) else { return true }
        return memory.streams.contains {
            signers.contains($0.key.device) && chain.place(of: $0.value.stand) ?? -1 >= place
        }
    }

    /// Whether others may not know this version, so that this device has to tell it.
    func isUnpublished(_ known: KnownVersion) -> Bool {
        guard known.isHeld else { return false }
        guard let source = known.source else { return true }
        let author = source.stream.device
        let isPassedOver = rules.tellsAgain && !chain.contains(known.link)
        if author == memory.peer { return source.stream != memory.stream || isPassedOver }
        // The author tells it first, if it is still there.
        if isPassedOver { return listingCount > 1 }
        guard rules.republishesForRemovedPeers, !isMember(author) else { return false }
        return tells(for: author)
    }

    /// Computes `unpublished` again from all known versions.
    ///
    /// That is due after the chain changed, or after a member wrote behind a removal.
    mutating func findUnpublished() {
        isTellingDue = false
        unpublished = []
        for (item, known) in memory.versions where isUnpublished(known) {
            if known.source != nil || rules.keepsUnpublished { unpublished.insert(item) }
        }
    }

    // MARK: Links that this device owes

    /// Returns the changes that this keeper has to put into its next link; nil if there are none.
    ///
    /// These are its own earlier changes that are not on the chain, and removals of members that
    /// leave. If they need several links, it returns the first part. If only lost keys are owed,
    /// the changes are empty.
    package func owedChanges() -> Link.Changes? {
        guard let circle, circle.isKeeper(memory.peer) else { return nil }
        var changes = rules.saysAgain ? said(circle) : Link.Changes()
        for name in memory.own.leaving.sorted()
        where circle.members[name] != nil && name != memory.peer && !changes.removed.contains(name)
        {
            changes.removed.append(name)
        }
        // Only an earlier keeper or the recovery key can remove a keeper.
        changes.removed.removeAll { circle.isSenior($0, to: memory.peer) }
        changes.promoted.removeAll { changes.removed.contains($0) }
        changes.fit(circle)
        // A link without changes can still give lost keys.
        return changes.isEmpty && lostKeys.isEmpty ? nil : changes.parts.first
    }

    private func said(_ circle: CircleState) -> Link.Changes {
        var changes = Link.Changes()
        var lastRecovery: (change: Link.RecoveryChange, isOn: Bool)?
        for digest in memory.own.said {
            guard let link = chain.link(digest) else { continue }
            let isOn = chain.contains(digest)
            if link.changes.recovery != .unchanged {
                lastRecovery = (link.changes.recovery, isOn)
            }
            guard !isOn else { continue }
            let removed = Set(link.changes.removed)
            changes.added.removeAll { removed.contains($0.name) }
            changes.promoted.removeAll { removed.contains($0) }
            changes.added += link.changes.added.filter { newcomer in
                !circle.knows(newcomer.name)
                    && !memory.own.leaving.contains(newcomer.name)
                    && !changes.added.contains { $0.name == newcomer.name }
            }
            changes.removed += link.changes.removed.filter {
                circle.members[$0] != nil && $0 != memory.peer && !changes.removed.contains($0)
            }
            changes.promoted += link.changes.promoted.filter {
                !circle.isKeeper($0) && !changes.removed.contains($0)
                    && !changes.promoted.contains($0)
            }
        }
        for name in changes.promoted.filter({ circle.members[$0] == nil }) {
            guard let place = changes.added.firstIndex(where: { $0.name == name }) else { continue }
            changes.added[place] = changes.added[place].asKeeper
        }
        changes.promoted.removeAll { circle.members[$0] == nil }
        guard let lastRecovery, !lastRecovery.isOn, circle.mayChangeRecovery([memory.peer]) else {
            return changes
        }
        switch lastRecovery.change {
        case .keys(let keys) where keys != circle.recovery: changes.recovery = .keys(keys)
        case .none where circle.recovery != nil: changes.recovery = .none
        case .keys, .none, .unchanged: break
        }
        return changes
    }
}

extension Link.Changes {
    /// Leaves out keepers and members above the limits of a circle.
    fileprivate mutating func fit(_ circle: CircleState) {
        let room =
            CircleState.keeperCountLimit - circle.keepers.count { !removed.contains($0) }
        promoted = Array(promoted.prefix(max(0, room)))
        let left = max(0, room - promoted.count)
        let tooMany = added.filter(\.isKeeper).dropFirst(left).map(\.name)
        added.removeAll { tooMany.contains($0.name) }
        let seats = CircleState.memberCountLimit - circle.members.count + removed.count
        added = Array(added.prefix(max(0, seats)))
    }
}
