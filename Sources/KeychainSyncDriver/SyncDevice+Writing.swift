import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// Links and entries that this device writes for the others.
//
// Source: Documentation/Spec/sync.md §2, §4.
extension SyncDevice {
    /// The most bytes that an entry needs for its header, heads and padding.
    private static let overheadByteCount = 1 << 17

    /// Writes the links and entries that the machine plans, each in its own transaction.
    ///
    /// If a link cannot be made, the entries are written all the same, and the report says why.
    mutating func write(
        _ report: inout SyncReport,
        entryByteCountLimit: Int
    ) throws(SyncFailure) {
        report.owedLink = nil
        while true {
            let (state, _) = try member()
            switch state.machine.nextPlan(makesLinks: report.owedLink == nil) {
            case nil: return
            case .link(let changes): report.owedLink = try writeOwed(changes)
            case .segment(let marks, _, _):
                let limit = entryByteCountLimit - Self.overheadByteCount
                let filled = try fill(marks, limit: limit, &report)
                guard !filled.changes.isEmpty || marks.changes.isEmpty else { return }
                guard try write(filled) else { return }
                report.sentCount += filled.changes.count
            }
        }
    }

    /// Makes a link that this device owes.
    ///
    /// - Returns: The error that prevented the link; nil if the link was made.
    private mutating func writeOwed(_ changes: Link.Changes) throws(SyncFailure) -> SyncError? {
        do throws(SyncFailure) { try write(changes) } catch {
            switch error {
            case .format(.backend): throw error
            case .format(let reason): return reason
            case .notKeeper: return .notAllowed(.noSuchSigner)
            default: throw error
            }
        }
        return nil
    }

    /// Makes a link and records it.
    ///
    /// The link follows the head of the chain, or else the last link that this device can follow.
    ///
    /// - Throws: `notKeeper` if neither this device nor the recovery key may sign it;
    ///   `wrongRecoveryKey`; `format`, if the link would break a rule or a key is missing.
    mutating func write(
        _ changes: Link.Changes,
        with paper: SoftwareSigner? = nil
    ) throws(SyncFailure) {
        var (state, signer) = try member()
        let base = try base(of: state, signer, paper)
        guard let key = state.keys[base.state.keyName] else { throw .format(.noKey) }
        var signers: [any PeerSigner] = []
        if let paper {
            guard base.state.recoveryName == (try fromFormat(try paper.name())) else {
                throw .wrongRecoveryKey
            }
            signers.append(paper)
        }
        if base.state.isKeeper(try fromFormat(try signer.name())) { signers.append(signer) }
        let lost = try state.lostKeys(at: base.link.digest)
        let made = try fromFormat(
            try linkWriter.follow(
                changes.following(base.state),
                after: base,
                key,
                state.membership.code,
                by: signers,
                giving: lost
            )
        )
        var records = try state.take(made, try randomBytes(AESGCM.nonceByteCount))
        _ = try fromFormat(try state.machine.handle(.said(made.link)))
        try state.noteKeys([made.keyName])
        records += try state.chainRecords()
        guard try commit(state, [], state.takeChanges(), records) else {
            throw .damagedState("the records changed meanwhile")
        }
    }

    /// Returns the link that a new link signed by this device and the recovery key has to follow.
    private func base(
        of state: SyncState,
        _ signer: some PeerSigner,
        _ paper: SoftwareSigner?
    ) throws(SyncFailure) -> CircleChain.Head {
        var names: Set = [try fromFormat(try signer.name())]
        if let paper { names.insert(try fromFormat(try paper.name())) }
        let chain = state.machine.chain
        if let base = try fromFormat(try chain.base(for: names, having: Set(state.keys.keys))) {
            return base
        }
        let isAble = names.contains { chain.head?.state.place(of: $0) != nil }
        throw isAble ? .format(.noKey) : paper == nil ? .notKeeper : .wrongRecoveryKey
    }

    /// Writes the entry with which this device leaves, or withdraws its request.
    mutating func writeLeave() throws(SyncFailure) {
        var (state, signer) = try joined()
        let header = EntryHeader(
            .leave,
            state.membership.account,
            state.machine.ownPlace,
            previous: state.machine.ownHead.digest
        )
        let entry = try fromFormat(try SignedEntry(leaving: header, by: signer))
        _ = try fromFormat(try state.machine.handle(.wroteOther(entry.mark)))
        state.outbox[header.number] = entry.bytes
        let records = SyncState.outboxRecords(header.number, entry.bytes, isGone: false)
        _ = try commit(state, [], state.takeChanges(), records)
    }

    /// Seals, signs and records an entry under the head of the chain.
    ///
    /// - Returns: Whether the entry was recorded; false if the keychain changed meanwhile.
    @discardableResult
    private mutating func write(_ segment: Segment<ItemChange>) throws(SyncFailure) -> Bool {
        var (state, signer) = try member()
        guard let head = state.machine.chain.head, let key = state.keys[head.state.keyName] else {
            throw .format(.noKey)
        }
        let header = EntryHeader(
            .segment,
            state.membership.account,
            state.machine.ownPlace,
            previous: state.machine.ownHead.digest,
            link: head.link.digest
        )
        let nonce = try randomBytes(AESGCM.nonceByteCount)
        let entry = try fromFormat(
            try SignedEntry(segment, header, under: key.secret, nonce: nonce, by: signer)
        )
        _ = try fromFormat(try state.machine.handle(.wrote(entry.mark, segment.marks)))
        state.outbox[header.number] = entry.bytes
        let records = SyncState.outboxRecords(header.number, entry.bytes, isGone: false)
        return try commit(state, [], state.takeChanges(), records)
    }

    /// Adds the content of the items to a segment.
    ///
    /// The segment leaves out items that changed since the plan, and items that are too large.
    private func fill(
        _ marks: Segment<ChangeMark>,
        limit: Int,
        _ report: inout SyncReport
    ) throws(SyncFailure) -> Segment<ItemChange> {
        var segment = Segment<ItemChange>()
        segment.isCheckpoint = marks.isCheckpoint
        segment.heads = marks.heads
        let contents = try keychain.contents(of: marks.changes.map(\.item))
        var byteCount = 0
        var tooLargeCount = 0
        for mark in marks.changes {
            // The keychain may have another version by now; the next scan finds that one.
            guard let item = contents[mark.item], item.digest == mark.version.digest.bytes else {
                continue
            }
            let content = item.content
            let added = content.attributes.count + (content.value?.secret.byteCount ?? 0) + 128
            guard added <= limit else {
                tooLargeCount += 1
                continue
            }
            let goal = min(limit, SignedEntry.contentByteCountGoal)
            if byteCount > 0, byteCount + added > goal { break }
            segment.changes.append(ItemChange(mark, content))
            byteCount += added
        }
        report.tooLargeCount = tooLargeCount
        return segment
    }

    // MARK: The relay

    /// Begins another stream, because another entry occupies the place of this device's next one.
    ///
    /// The new stream repeats the changes that the relay had not received.
    mutating func begin() throws(SyncFailure) {
        var (state, _) = try joined()
        let stream = StreamName(
            of: state.machine.memory.peer,
            try randomBytes(StreamName.randomByteCount)
        )
        let gone = state.outbox.flatMap { SyncState.outboxRecords($0.key, $0.value, isGone: true) }
        state.outbox = [:]
        state.membership.stream = stream
        _ = try fromFormat(try state.machine.handle(.began(stream)))
        let records = try gone + [state.membershipRecord()]
        _ = try commit(state, [], state.takeChanges(), records)
    }

    /// Sends the relay the links and entries that it lacks.
    ///
    /// Links go before the entries that name them.
    ///
    /// - Returns: Whether the relay took everything; false if the place of an entry was occupied.
    @discardableResult
    mutating func flush(to relay: some Relay) throws(SyncFailure) -> Bool {
        try flushLinks(to: relay)
        guard var state, !state.outbox.isEmpty else { return true }
        let stream = state.machine.memory.stream
        let numbers = state.outbox.keys.sorted()
        for run in numbers.runs {
            let entries = run.compactMap { state.outbox[$0] }
            do throws(RelayError) {
                try relay.append(contentsOf: entries, to: stream, at: run.lowerBound)
            } catch {
                guard case .occupied(stream, _) = error else { throw .relay(error) }
                if state.membership.phase == .member { try begin() }
                return false
            }
        }
        let records = state.outbox.flatMap {
            SyncState.outboxRecords($0.key, $0.value, isGone: true)
        }
        state.outbox = [:]
        _ = try commit(state, [], MemoryChanges(), records)
        return true
    }

    private mutating func flushLinks(to relay: some Relay) throws(SyncFailure) {
        guard var state, !state.linkOutbox.isEmpty else { return }
        var records: [SyncRecord] = []
        for (digest, boxes) in state.linkOutbox {
            guard let link = state.machine.chain.link(digest), let bytes = state.linkBytes[digest]
            else { continue }
            let place = try state.place(of: link, bytes)
            try fromRelay(try relay.put(bytes, boxes: boxes, at: place))
            state.seenLinks.insert(place)
            state.linkPlaces[digest, default: []].insert(place)
            records += SyncState.pieces(of: boxes, .linkOutbox, digest.bytes, isGone: true)
        }
        state.linkOutbox = [:]
        _ = try commit(state, [], MemoryChanges(), records)
    }

    /// Removes the entries from the relay that a checkpoint replaces.
    mutating func tidy(_ actions: [SyncAction], _ relay: some Relay) throws(SyncFailure) {
        guard let state else { return }
        for case .trim(let number) in actions {
            try fromRelay(try relay.trim(state.machine.memory.stream, below: number))
        }
        for stream in state.machine.replacedStreams {
            if let next = state.machine.streamToRead(stream) {
                // An entry that nobody can ever read was forged, so it does not keep the stream.
                switch state.faults[EntryPlace(stream, next.first)] {
                case .damaged, .wrongSignature, .incomplete: break
                case .unknownLink, .linkNotChosen, .keyMissing, .aheadOfClock, nil: continue
                }
            }
            try fromRelay(try relay.remove(stream))
        }
    }
}

extension [UInt64] {
    /// Ranges of numbers that follow each other.
    fileprivate var runs: [Range<UInt64>] {
        var runs: [Range<UInt64>] = []
        for number in self {
            if let last = runs.last, last.upperBound == number {
                runs[runs.count - 1] = last.lowerBound..<number + 1
            } else {
                runs.append(number..<number + 1)
            }
        }
        return runs
    }
}

extension Link.Changes {
    /// Returns the changes that a link with the given state has not made yet.
    fileprivate func following(_ state: CircleState) -> Link.Changes {
        var changes = self
        changes.added.removeAll { state.knows($0.name) }
        changes.removed.removeAll { state.members[$0] == nil }
        changes.promoted.removeAll { state.members[$0] == nil || state.isKeeper($0) }
        return changes
    }
}
