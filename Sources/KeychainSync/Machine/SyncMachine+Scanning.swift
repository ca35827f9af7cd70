extension SyncMachine {
    /// Compares the items in the keychain with the known versions.
    mutating func scanned(_ items: [LocalItem], now: Int64) -> [SyncAction] {
        self.now = now
        pendingApplies = [:]
        missing = []
        keychain = [:]
        keychain.reserveCapacity(items.count)
        for local in items {
            keychain[local.item] = local.digest
            note(local)
        }
        guard rules.buriesMissingItems else { return [] }
        // A tombstone is missing if the item was added again and deleted between two scans.
        for (item, known) in memory.versions where known.isHeld && keychain[item] == nil {
            missing.insert(item)
        }
        return missing.sorted().map { .bury($0) }
    }

    private mutating func note(_ local: LocalItem) {
        guard let known = memory.versions[local.item] else {
            // Every member has read an old tombstone that this device no longer knows.
            if local.isTombstone && isOld(local.modified) { return }
            return keep(local, stamp(of: local, replacing: nil))
        }
        guard known.mark.version.digest != local.digest else {
            guard !known.isHeld else { return }
            var held = known
            held.isHeld = true
            return keep(held)
        }
        let replaced = rules.followsReplacedStamp ? known.mark.version.stamp : nil
        let stamp = stamp(of: local, replacing: replaced)
        guard
            let source = known.source, rules.followsReplacedStamp,
            ItemVersion(stamp, local.digest) < known.mark.version
        else { return keep(local, stamp) }
        // No later stamp exists, so the known version wins everywhere and comes back here, too.
        pendingApplies[local.item] = ItemApply(known.mark, from: source, replacing: local.digest)
    }

    /// Returns the stamp of a local change; a date ahead of the clock counts as now.
    ///
    /// Otherwise the other devices would hold the change back.
    private func stamp(of local: LocalItem, replacing replaced: Stamp?) -> Stamp {
        Stamp(
            modified: rules.limitsStamps ? min(local.modified, now) : local.modified,
            replacing: replaced
        )
    }

    /// Whether a tombstone with this date in milliseconds is old enough to be forgotten.
    func isOld(_ milliseconds: Int64) -> Bool { milliseconds < now - Self.tombstoneMilliseconds }

    private mutating func keep(_ local: LocalItem, _ stamp: Stamp) {
        let mark = ChangeMark(
            item: local.item,
            version: ItemVersion(stamp, local.digest),
            isTombstone: local.isTombstone
        )
        keep(KnownVersion(mark, isHeld: true))
    }
}
