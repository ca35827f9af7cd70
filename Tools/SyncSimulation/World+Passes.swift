import KeychainSync

extension World {
    /// One pass of a driver; it may stop anywhere.
    mutating func pass(_ number: Int, _ dice: inout Dice) throws {
        let crash: Device.Crash? =
            dice.happens(inThousand: 80)
            ? Device.Crash(rawValue: dice.below(Device.Crash.allCases.count)) : nil
        let isOnline = !devices[number].isOffline
        if isOnline { try append(number, isComplete: dice.below(8) > 0) }
        let scan = try scan(number)
        if isOnline {
            let listing = relay.listing(for: number, &dice)
            try read(number, listing, &dice, limit: dice.below(5) == 0 ? dice.below(4) : 10_000)
        }
        if crash == .beforeApply { return try restart(number) }
        let transaction = devices[number].machine.takeTransaction()
        if dice.happens(inThousand: 60) { sneakEdit(into: transaction, on: number, &dice) }
        guard try apply(transaction, number, scan) else { return }
        if crash == .afterApply { return try restart(number) }
        guard isOnline else { return }
        _ = try writeEntries(number, crash: crash)
    }

    /// A pass without faults, when everything is over.
    mutating func quietPass(_ number: Int) throws {
        try append(number, isComplete: true)
        let scan = try scan(number)
        var dice = Dice(UInt64(number))
        try read(number, relay.fullListing(for: number), &dice, limit: .max)
        let transaction = devices[number].machine.takeTransaction()
        guard try apply(transaction, number, scan) else {
            throw Violation(.contained, "device \(number) is in conflict with itself")
        }
        _ = try writeEntries(number, crash: nil)
        if !devices[number].storedEverything {
            throw Violation(.contained, "device \(number) did not store all that it knows")
        }
    }

    /// Shows the machine the keychain, and buries what is missing there.
    private mutating func scan(_ number: Int) throws -> [Content?] {
        for _ in 0..<2 {
            let actions = try devices[number].machine.handle(.scanned(localItems(number)))
            for case .bury(let item) in actions {
                let tombstone = tombstone(Self.itemNumbers[item] ?? 0, on: number)
                devices[number].keychain[Self.itemNumbers[item] ?? 0] = tombstone
            }
            if actions.isEmpty { break }
        }
        return devices[number].keychain
    }

    private func localItems(_ number: Int) -> [LocalItem] {
        var items: [LocalItem] = []
        items.reserveCapacity(Self.itemCount)
        let keychain = devices[number].keychain
        for item in keychain.indices {
            guard let content = keychain[item] else { continue }
            items.append(
                LocalItem(
                    item: Self.items[item],
                    digest: content.digest,
                    isTombstone: content.isTombstone,
                    modified: content.modified
                )
            )
        }
        return items
    }

    /// Reads boxes ahead, then streams until none can go on.
    private mutating func read(
        _ number: Int,
        _ listing: [PeerName: Range<UInt64>],
        _ dice: inout Dice,
        limit: Int
    ) throws {
        try note(devices[number].machine.handle(.listed(listing)), on: number)
        try searchForKeys(number, listing)
        var rest = limit
        var isGoingOn = true
        while isGoingOn && rest > 0 {
            isGoingOn = false
            let start = dice.below(relay.streams.count)
            for offset in relay.streams.indices {
                let stream = (start + offset) % relay.streams.count
                while rest > 0, try readNext(number, stream, &dice) {
                    rest -= 1
                    isGoingOn = true
                    if dice.below(4) == 0 { break }
                }
            }
        }
    }

    /// Reads the next entry of a stream, if there is one that can be opened.
    private mutating func readNext(
        _ number: Int,
        _ stream: Int,
        _ dice: inout Dice
    ) throws -> Bool {
        let peer = relay.streams[stream].peer
        guard let next = devices[number].machine.streamToRead(peer),
            let entry = relay.entry(stream, Int(next.first))
        else { return false }
        let place = EntryPlace(peer, next.first)
        let event: SyncEvent
        switch entry.content {
        case .keys: event = .readOther(place, entry.digest)
        case .segment(let segment, let epoch):
            guard devices[number].machine.memory.epochs.contains(epoch) else { return false }
            event = .read(place, entry.digest, segment)
        }
        activity += 1
        let counted = counts(place, for: number)
        try note(devices[number].machine.handle(event), on: number)
        if !counted && !counts(place, for: number) { try checkNotTaken(place, event, by: number) }
        if dice.happens(inThousand: 20) {
            try note(devices[number].machine.handle(event), on: number)
        }
        return true
    }

    private func counts(_ place: EntryPlace, for number: Int) -> Bool {
        devices[number].machine.circle?.counts(place) ?? false
    }

    /// Checks that a device takes nothing of an entry that does not count, as it knows.
    private func checkNotTaken(
        _ place: EntryPlace,
        _ event: SyncEvent,
        by number: Int
    ) throws(Violation) {
        guard case .read(_, _, let segment, _) = event else { return }
        let versions = devices[number].machine.memory.versions
        for mark in segment.changes where versions[mark.item]?.source == place {
            throw Violation(.removal, "device \(number) took an item of a removed peer")
        }
    }

    private mutating func searchForKeys(
        _ number: Int,
        _ listing: [PeerName: Range<UInt64>]
    ) throws {
        let peer = devices[number].peer
        for stream in relay.streams.indices {
            guard let range = listing[relay.streams[stream].peer] else { continue }
            let from = max(devices[number].searched[stream], Int(range.lowerBound))
            guard from < Int(range.upperBound) else { continue }
            for place in from..<Int(range.upperBound) {
                guard case .keys(let keys, let statements)? = relay.entry(stream, place)?.content,
                    let epochs = keys[peer]
                else { continue }
                let event = SyncEvent.received(epochs: epochs.sorted(), statements: statements)
                try note(devices[number].machine.handle(event), on: number)
            }
            devices[number].noteSearched(stream, to: Int(range.upperBound))
        }
    }

    /// A person edits what is about to be replaced.
    private mutating func sneakEdit(
        into transaction: SyncTransaction,
        on number: Int,
        _ dice: inout Dice
    ) {
        let applies = transaction.applies
        let apply = applies.isEmpty ? nil : applies[dice.below(applies.count)]
        let item = apply.flatMap { Self.itemNumbers[$0.mark.item] }
        edit(item ?? dice.below(Self.itemCount), on: number, &dice)
    }

    /// The transaction: the items and what the machine learned, or nothing.
    private mutating func apply(
        _ transaction: SyncTransaction,
        _ number: Int,
        _ scan: [Content?]
    ) throws -> Bool {
        if rules.refusesConflicts {
            for apply in transaction.applies {
                let item = Self.itemNumbers[apply.mark.item] ?? 0
                guard devices[number].keychain[item]?.digest == apply.replaced else {
                    try restart(number)
                    return false
                }
            }
        }
        let found = reference.found(scan, on: number)
        for apply in transaction.applies {
            activity += 1
            let item = Self.itemNumbers[apply.mark.item] ?? 0
            devices[number].keychain[item] = Content(
                digest: apply.mark.version.digest,
                isTombstone: apply.mark.isTombstone,
                modified: Int64(apply.mark.version.stamp.milliseconds)
            )
        }
        try store(transaction.changes, found: found, on: number)
        return true
    }

    /// Looks at what a device has to tell its person.
    mutating func note(_ actions: [SyncAction], on number: Int) throws {
        for action in actions {
            switch action {
            case .bury: continue
            case .trim(let end): relay.trim(number, before: Int(end))
            case .tell(.removed): devices[number].wasToldOfRemoval = true
            case .tell(.withheld): continue
            case .tell(let notice):
                notices.insert(notice)
                if isRelayHonest {
                    let counts = relay.streams.map { "\($0.first)..<\($0.entries.count)" }
                    throw Violation(.notices, "device \(number): \(notice), \(counts)")
                }
            }
        }
    }
}
