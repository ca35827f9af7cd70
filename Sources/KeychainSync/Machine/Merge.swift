/// What happens to an item of which another peer told a version.
package enum MergeOutcome: Sendable, Hashable {
    /// The known version wins.
    case keep
    /// It is the known version.
    case confirm
    /// The coming version wins; the keychain contains that already.
    case adopt
    /// The coming version wins, and goes into the keychain.
    case apply
}

extension MergeRules {
    /// Decides between what memory knows, what the keychain contains, and what came.
    ///
    /// - Source: Documentation/Spec/sync.md §2.
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
        // Every member read it, or it would be told anew.
        if known == nil, coming.isTombstone, isOld(milliseconds) { return }
        let contained = keychain[coming.item]
        // Read while this clock was ahead, too: others know only what is not.
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

    /// The same version again: the entry that will be there longest is where it came from.
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
