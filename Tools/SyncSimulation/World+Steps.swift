import KeychainSync

extension World {
    /// Lets a step happen.
    mutating func take(_ step: Step) throws {
        now = step.number
        activity += 1
        var dice = step.dice
        let living = devices.indices.filter { !devices[$0].isDestroyed }
        guard !living.isEmpty else { return }
        let number = living[step.device % living.count]
        if devices[number].awayUntil > now { devices[number].isOffline = true }
        switch step.kind {
        case .edit: edit(dice.below(Self.itemCount), on: number, &dice)
        case .delete: delete(number, &dice)
        case .lose: lose(number, &dice)
        case .pass: try pass(number, &dice)
        case .goOffline: devices[number].isOffline = true
        case .goOnline: devices[number].isOffline = devices[number].awayUntil > now
        case .stayAway: devices[number].awayUntil = now + 100 + dice.below(3000)
        case .withhold: relay.withhold(dice.below(devices.count), from: number)
        case .show: relay.showAll(to: number)
        case .setClock: devices[number].clockOffset = Self.clockOffset(&dice)
        default: try changeCircle(step.kind, number, living, &dice)
        }
    }

    private mutating func changeCircle(
        _ kind: Step.Kind,
        _ number: Int,
        _ living: [Int],
        _ dice: inout Dice
    ) throws {
        guard try canState(number) else { return }
        let members = living.filter { isMember($0) }
        let other = devices.indices.filter { $0 != number }.randomElement(&dice) ?? number
        switch kind {
        case .join:
            if members.count < Self.deviceCount { try join(approvedBy: number) }
        case .remove:
            guard members.count > 3 else { return }
            try remove(dice.below(8) == 0 ? number : other, by: number)
        case .removeEachOther:
            guard members.count > 4, try canState(other) else { return }
            try remove(other, by: number)
            try remove(number, by: other)
        case .removeByRecovery:
            guard members.count > 3 else { return }
            try remove(other, by: number, withRecoveryKey: true)
        case .changeRecovery:
            recoveryCount += 1
            let keys = try Self.keys(seed, 1_000_000 + recoveryCount)
            let machine = devices[number].machine
            let earlier = machine.circle?.recoveryName
            let counted = machine.memory.statements.values.filter { $0.author == earlier }
            try state(
                .recover(keys, counted: counted.map(\.digest)),
                by: number,
                withRecoveryKey: dice.below(2) == 0
            )
        case .destroy:
            guard members.count > 3 else { return }
            devices[number].isDestroyed = true
        default: return
        }
    }

    /// Removes a device; what the other one has read of it counts.
    mutating func remove(_ other: Int, by number: Int, withRecoveryKey: Bool = false) throws {
        let machine = devices[number].machine
        let peer = devices[other].peer
        guard machine.circle?.hasMember(peer) == true else { return }
        if !withRecoveryKey && number != other { removers.insert(devices[number].peer) }
        try state(machine.removal(of: peer), by: number, withRecoveryKey: withRecoveryKey)
    }

    /// Whether a device regards itself as a member.
    func isMember(_ number: Int) -> Bool {
        devices[number].machine.circle?.hasMember(devices[number].peer) ?? false
    }

    // MARK: What people do

    private func time(on number: Int) -> Int64 {
        1_790_000_000_000 + Int64(now / 48) + devices[number].clockOffset
    }

    private static func clockOffset(_ dice: inout Dice) -> Int64 {
        switch dice.below(6) {
        case 0: Int64(dice.below(200))
        case 1: -Int64(dice.below(200))
        case 2: -1_800_000_000_000
        case 3: 300_000_000_000_000
        default: 0
        }
    }

    mutating func edit(_ item: Int, on number: Int, _ dice: inout Dice) {
        let modified = time(on: number)
        // Few values and a coarse clock: now and then two devices write the very same.
        let value = UInt64(dice.below(4))
        let content = Content(
            digest: Dice.name(UInt64(item), UInt64(bitPattern: modified), value, 0xed17),
            isTombstone: false,
            modified: modified
        )
        devices[number].keychain[item] = content
        reference.personChanges(item, to: content, on: number)
    }

    private mutating func delete(_ number: Int, _ dice: inout Dice) {
        let item = dice.below(Self.itemCount)
        guard let content = devices[number].keychain[item], !content.isTombstone else { return }
        let tombstone = tombstone(item, on: number)
        devices[number].keychain[item] = tombstone
        reference.personChanges(item, to: tombstone, on: number)
    }

    func tombstone(_ item: Int, on number: Int) -> Content {
        let modified = time(on: number)
        return Content(
            digest: Dice.name(UInt64(item), UInt64(bitPattern: modified), 0xdead),
            isTombstone: true,
            modified: modified
        )
    }

    /// An item that was deleted while the device was locked leaves no tombstone.
    private mutating func lose(_ number: Int, _ dice: inout Dice) {
        let item = dice.below(Self.itemCount)
        guard let content = devices[number].keychain[item], !content.isTombstone else { return }
        devices[number].keychain[item] = nil
        reference.personChanges(item, to: nil, on: number)
    }
}

extension Array {
    fileprivate func randomElement(_ dice: inout Dice) -> Element? {
        isEmpty ? nil : self[dice.below(count)]
    }
}
