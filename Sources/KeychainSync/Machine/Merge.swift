/// The result of comparing a version from another device with the one that this device knows.
package enum MergeOutcome: Sendable, Hashable {
    /// The known version wins, and nothing changes.
    case keep
    /// The other device told the known version again.
    case confirm
    /// The other version wins, and the keychain already contains its content.
    case adopt
    /// The other version wins, and the keychain has to take its content.
    case apply
}

extension MergeRules {
    /// Decides between the known version, the content of the keychain, and the coming version.
    ///
    /// - Source: Documentation/Spec/sync.md §4.2.
    package func outcome(
        known: ChangeMark?,
        keychain: SyncDigest?,
        coming: ChangeMark
    ) -> MergeOutcome {
        if let known {
            guard known.version != coming.version else { return .confirm }
            guard wins(coming, over: known) else { return .keep }
        }
        return keychain == coming.version.digest ? .adopt : .apply
    }

    private func wins(_ coming: ChangeMark, over known: ChangeMark) -> Bool {
        if coming.isTombstone && !known.isTombstone && !takesTombstones { return false }
        if known.isTombstone && !coming.isTombstone && !takesEditsOverTombstones { return false }
        guard coming.version.stamp == known.version.stamp else {
            switch winner {
            case .later: return coming.version.stamp > known.version.stamp
            case .earlier: return coming.version.stamp < known.version.stamp
            case .latestToArrive: return true
            }
        }
        switch tie {
        case .greaterDigest: return coming.version.digest > known.version.digest
        case .smallerDigest: return coming.version.digest < known.version.digest
        case .firstToArrive: return false
        }
    }
}

extension SyncMachine {
    mutating func merge(_ coming: ChangeMark, from entry: EntryMark, isForeign: Bool) {
        let known = memory.versions[coming.item]
        let milliseconds = Int64(clamping: coming.version.stamp.milliseconds)
        // Every member has read such an old tombstone; otherwise somebody would tell it again.
        if known == nil, coming.isTombstone, isOld(milliseconds) { return }
        let contained = keychain[coming.item]
        // A known version that is too far ahead, and came from another device, gives way. This
        // device accepted it while its own clock was ahead, too; the others did not.
        let isWrong = known.map { isAhead($0.mark.version.stamp) && $0.source != nil } ?? false
        let rival = isWrong && known?.source?.stream.device != memory.peer ? nil : known?.mark
        switch rules.outcome(known: rival, keychain: contained, coming: coming) {
        case .keep: return
        case .confirm:
            if let known { confirm(known, from: entry) }
        case .adopt:
            pendingApplies[coming.item] = nil
            keep(KnownVersion(coming, from: entry.place, link: entry.link, isHeld: true))
        case .apply:
            if !isForeign {
                pendingApplies[coming.item] = ItemApply(
                    coming,
                    from: entry.place,
                    replacing: contained
                )
            }
            keep(KnownVersion(coming, from: entry.place, link: entry.link, isHeld: !isForeign))
        }
    }

    /// Handles a known version that came again: the entry that lasts longest becomes its source.
    private mutating func confirm(_ known: KnownVersion, from entry: EntryMark) {
        let place = entry.place
        let isBetter =
            switch known.source {
            case nil: true
            case let source? where source.stream == place.stream: source.number < place.number
            case let source?: !isMember(source.stream.device) || !chain.contains(known.link)
            }
        guard isBetter else { return }
        keep(KnownVersion(known.mark, from: place, link: entry.link, isHeld: known.isHeld))
    }

    mutating func keep(_ known: KnownVersion) {
        memory.versions[known.mark.item] = known
        changes.versions.insert(known.mark.item)
        if isUnpublished(known) {
            unpublished.insert(known.mark.item)
        } else {
            unpublished.remove(known.mark.item)
        }
    }
}
