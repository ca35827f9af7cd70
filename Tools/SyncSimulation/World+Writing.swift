import KeychainSync

extension World {
    /// Writes what the device has to tell, entry by entry.
    ///
    /// - Returns: Whether the device went on to the end.
    mutating func writeEntries(
        _ number: Int,
        crash: Device.Crash?,
        limit: Int = 64
    ) throws -> Bool {
        for _ in 0..<limit {
            guard let plan = devices[number].machine.nextEntry() else { return true }
            guard try write(plan, by: number) else { return true }
            activity += 1
            if !rules.recordsFirst { try append(number, isComplete: false) }
            guard try record(number, crash: crash) else { return false }
            if crash == .beforeAppend {
                try restart(number)
                return false
            }
            try append(number, isComplete: crash != .afterAppend)
            if crash == .afterAppend {
                try restart(number)
                return false
            }
        }
        throw Violation(.quiescence, "device \(number) writes without end")
    }

    /// Makes the entries of a plan.
    ///
    /// - Returns: Whether there was something to write.
    private mutating func write(_ plan: EntryPlan, by number: Int) throws -> Bool {
        switch plan {
        case .keys(let keys):
            try writeKeys(keys, with: statements(of: number), by: number)
        case .segment(var segment, let epoch):
            let keychain = devices[number].keychain
            let count = segment.changes.count
            segment.changes.removeAll { mark in
                let item = Self.itemNumbers[mark.item] ?? 0
                return keychain[item]?.digest != mark.version.digest
            }
            // What was edited since the scan waits for the next one.
            guard segment.changes.count == count else { return false }
            noteSealed(under: epoch, by: number)
            try write(segment, under: epoch, by: number)
        case .epoch(let readers, let segment, let earlier):
            try writeEpoch(for: readers, segment, under: earlier, by: number)
        }
        return true
    }

    private mutating func writeEpoch(
        for readers: EpochReaders,
        _ empty: Segment<ChangeMark>,
        under earlier: EpochName,
        by number: Int
    ) throws {
        let machine = devices[number].machine
        let epoch: EpochName = nextDigest()
        let rotate = Statement(
            author: devices[number].peer,
            generation: machine.circle?.nextGeneration ?? 0,
            entry: machine.ownHead.entryCount + 1,
            action: .rotate(epoch, readers),
            encoded: [],
            digest: nextDigest()
        )
        let epochs = machine.memory.epochs.union([epoch])
        _ = try devices[number].machine.handle(
            .received(epochs: [epoch], statements: [rotate])
        )
        var keys: [PeerName: Set<EpochName>] = [:]
        for recipient in readers.recipients { keys[recipient] = epochs }
        try writeKeys(keys, with: statements(of: number), by: number)
        var segment = empty
        segment.statements.append(rotate)
        try write(segment, under: earlier, by: number)
    }

    private func statements(of number: Int) -> [Statement] {
        Array(devices[number].machine.memory.statements.values)
    }

    mutating func writeKeys(
        _ keys: [PeerName: Set<EpochName>],
        with statements: [Statement],
        by number: Int
    ) throws {
        let place = ownPlace(number)
        let entry = Entry(digest: nextDigest(), content: .keys(keys, statements))
        devices[number].pending.append((Int(place.number), entry))
        _ = try devices[number].machine.handle(.wroteKeys(place, entry.digest, keys))
    }

    mutating func write(
        _ segment: Segment<ChangeMark>,
        under epoch: EpochName,
        by number: Int
    ) throws {
        let place = ownPlace(number)
        let entry = Entry(digest: nextDigest(), content: .segment(segment, under: epoch))
        devices[number].pending.append((Int(place.number), entry))
        try note(devices[number].machine.handle(.wrote(place, entry.digest, segment)), on: number)
    }

    private func ownPlace(_ number: Int) -> EntryPlace {
        EntryPlace(devices[number].peer, devices[number].machine.ownHead.entryCount)
    }

    /// Stores what was written with the entries themselves, or stops before.
    @discardableResult
    mutating func record(_ number: Int, crash: Device.Crash?) throws -> Bool {
        if crash == .beforeRecord {
            // The entries are gone with the device.
            let recorded = Int(devices[number].durableHead.entryCount)
            devices[number].pending.removeAll { $0.number >= recorded }
            try restart(number)
            return false
        }
        let transaction = devices[number].machine.takeTransaction()
        try store(transaction.changes, found: [], on: number)
        return true
    }

    /// Gives the relay what was recorded.
    ///
    /// If the device stops before it forgets the records, it gives them once more.
    mutating func append(_ number: Int, isComplete: Bool) throws(Violation) {
        for (place, entry) in devices[number].pending
        where !relay.append(entry, to: number, at: place) {
            throw Violation(.notices, "device \(number) wrote another entry \(place) before")
        }
        if isComplete { devices[number].pending = [] }
    }

    /// Remembers who must never have the key of this epoch: it seals changes after they left.
    private mutating func noteSealed(under epoch: EpochName, by number: Int) {
        guard let circle = devices[number].machine.circle else { return }
        for (peer, state) in circle.peers where state.entryCount != nil {
            sealedWithout[epoch, default: []].insert(peer)
        }
    }

    mutating func restart(_ number: Int) throws {
        try devices[number].restart()
    }

    /// Stores what changed, after the reference has looked at it.
    mutating func store(
        _ changes: MemoryChanges,
        found: [(item: Int, version: Reference.Version)],
        on number: Int
    ) throws {
        devices[number].store(changes)
        defer {
            if !changes.statements.isEmpty {
                let machine = devices[number].machine
                reference.noteRemovals(machine.circle, machine.memory.statements, on: number)
            }
        }
        guard !changes.versions.isEmpty || !found.isEmpty else { return }
        var marks: [(item: Int, mark: ChangeMark)] = []
        for name in changes.versions {
            guard let item = Self.itemNumbers[name],
                let known = devices[number].machine.memory.versions[name]
            else { continue }
            marks.append((item, known.mark))
        }
        try reference.store(marks, found: found, on: number)
    }
}
