/// The members, keepers and recovery key of a circle after a link.
///
/// - Source: Documentation/Spec/sync.md §2.3, §3.
package struct CircleState: Sendable, Hashable {
    /// A device of the circle.
    package struct Member: Sendable, Hashable {
        package let keys: PeerKeys
        package let deviceName: String
        /// The link that added it.
        package let link: SyncDigest
        /// The signers of that link.
        package let addedBy: [KeyName]
    }

    /// The most keepers that a circle may have; it bounds the time to judge one link.
    package static let keeperCountLimit = 255

    /// The most members that a circle may have, so that a link with a new key has room for every
    /// box.
    package static let memberCountLimit = 4096

    package private(set) var members: [KeyName: Member] = [:]
    /// In the order in which they became keepers.
    package private(set) var keepers: [KeyName] = []
    /// The recovery key; nil if there is none.
    package private(set) var recovery: PeerKeys?
    package private(set) var recoveryName: KeyName?
    /// The keys of all present and former members on this chain.
    private var everyone: [KeyName: PeerKeys] = [:]
    /// The link that made the key in force.
    package private(set) var keyLink = SyncDigest.zeros
    package private(set) var keyName = SealName.zeros

    /// The state before the founding link: nobody is in the circle.
    init() {}

    /// Returns the key at a place of the order: 0 is the recovery key, then the keepers from 1.
    func signer(at place: UInt16) -> (name: KeyName, keys: PeerKeys)? {
        guard place > 0 else {
            guard let recovery, let recoveryName else { return nil }
            return (recoveryName, recovery)
        }
        guard Int(place) <= keepers.count, let member = members[keepers[Int(place) - 1]] else {
            return nil
        }
        return (keepers[Int(place) - 1], member.keys)
    }

    /// The recovery key, then the keepers in the order in which they became keepers.
    package var order: [KeyName] { (recoveryName.map { [$0] } ?? []) + keepers }

    /// The place of a key in the order; nil if it may not sign links.
    package func place(of name: KeyName) -> UInt16? {
        if name == recoveryName { return 0 }
        return keepers.firstIndex(of: name).flatMap { UInt16(exactly: $0 + 1) }
    }

    /// Whether a key is earlier in the order than another one, or the other one is not in the
    /// order.
    package func isSenior(_ name: KeyName, to other: KeyName) -> Bool {
        guard let first = place(of: name) else { return false }
        return place(of: other).map { first < $0 } ?? true
    }

    package func isKeeper(_ name: KeyName) -> Bool { keepers.contains(name) }

    /// Whether a device is or was a member on this chain.
    package func knows(_ name: KeyName) -> Bool { everyone[name] != nil }

    /// Whether these signers may replace or remove the recovery key.
    ///
    /// One of them must be the recovery key itself or the first keeper. Otherwise a later keeper
    /// could set a key of its own that outranks the keepers before it.
    package func mayChangeRecovery(_ signers: [KeyName]) -> Bool {
        signers.contains { $0 == recoveryName || $0 == keepers.first }
    }

    /// Returns the readers of the boxes of a link, in the order of the boxes.
    ///
    /// Call this on the state after the link. If the link has a new key, the readers are the
    /// recovery key and then all members by name. Otherwise they are the devices that it adds, by
    /// name.
    package func readers(of link: Link) -> [PeerKeys] {
        readers(of: link.changes, hasNewKey: link.newKey != nil)
    }

    func readers(of changes: Link.Changes, hasNewKey: Bool) -> [PeerKeys] {
        guard hasNewKey else {
            return changes.added.sorted { $0.name < $1.name }.map(\.keys)
        }
        return (recovery.map { [$0] } ?? [])
            + members.sorted { $0.key < $1.key }.map(\.value.keys)
    }

    // MARK: One link

    /// The values that a link replaced, so that a walk can go back.
    struct Undo {
        fileprivate var added: [KeyName]
        fileprivate var removed: [(KeyName, Member)]
        /// At most `keeperCountLimit`.
        fileprivate var keepers: [KeyName]
        fileprivate var recovery: PeerKeys?
        fileprivate var recoveryName: KeyName?
        fileprivate var keyLink: SyncDigest
        fileprivate var keyName: SealName
    }

    /// Checks whether a link may follow this state; it does not check signatures.
    ///
    /// - Throws: The first rule that the link breaks.
    func check(_ link: Link, by signers: [KeyName]) throws(LinkFault) {
        let changes = link.changes
        guard !changes.isEmpty || !link.earlierKeys.isEmpty else { throw .empty }
        var seen: Set<KeyName> = []
        for newcomer in changes.added
        where knows(newcomer.name) || !seen.insert(newcomer.name).inserted {
            throw .addedAgain(newcomer.name)
        }
        let removed = try checkRemoved(changes, by: signers)
        var keepers = Set(keepers)
        let staying = keepers.subtracting(removed).count
        for name in changes.promoted {
            guard members[name] != nil, !removed.contains(name), keepers.insert(name).inserted
            else { throw .cannotPromote(name) }
        }
        let keeperCount =
            staying + changes.promoted.count + changes.added.count(where: \.isKeeper)
        guard keeperCount <= Self.keeperCountLimit else { throw .tooManyKeepers }
        let memberCount = members.count - removed.count + changes.added.count
        guard memberCount <= Self.memberCountLimit else { throw .tooManyMembers }
        let hasRecovery = try checkRecovery(link, by: signers)
        guard hasRecovery || keeperCount > 0 else { throw .leavesNobody }
        let needsKey = link.isFounding || changes.takesAway
        guard !needsKey || link.newKey != nil else { throw .keyMissing }
        guard needsKey || link.newKey == nil else { throw .keyNeedless }
    }

    /// - Returns: The devices that the link removes.
    private func checkRemoved(
        _ changes: Link.Changes,
        by signers: [KeyName]
    ) throws(LinkFault) -> Set<KeyName> {
        guard !changes.removed.isEmpty else { return [] }
        let first = signers.compactMap { order.firstIndex(of: $0) }.min() ?? 0
        let seniors = Set(order.prefix(first))
        var removed: Set<KeyName> = []
        for name in changes.removed {
            guard members[name] != nil, removed.insert(name).inserted else {
                throw .removesStranger(name)
            }
            guard !signers.contains(name) else { throw .removesSigner(name) }
            guard !seniors.contains(name) else { throw .removesSenior(name) }
        }
        return removed
    }

    /// - Returns: Whether the circle has a recovery key after the link.
    private func checkRecovery(
        _ link: Link,
        by signers: [KeyName]
    ) throws(LinkFault) -> Bool {
        let changes = link.changes
        if changes.recovery != .unchanged, !link.isFounding {
            guard mayChangeRecovery(signers) else { throw .recoveryByJunior }
        }
        var after = recovery
        switch changes.recovery {
        case .unchanged: break
        case .none:
            guard recovery != nil else { throw .sameRecovery }
            after = nil
        case .keys(let keys):
            guard keys != recovery else { throw .sameRecovery }
            let isOfDevice = everyone.values.contains { $0.shares(with: keys) }
            guard !isOfDevice else { throw .recoveryKeyOfDevice }
            after = keys
        }
        for keys in [recovery, after] {
            guard let keys else { continue }
            let isOfDevice = changes.added.contains { $0.keys.shares(with: keys) }
            guard !isOfDevice else { throw .recoveryKeyOfDevice }
        }
        return after != nil
    }

    /// Changes the state to the one after a link that was checked.
    ///
    /// - Returns: The values to pass to `undo`.
    mutating func apply(_ link: Link, by signers: [KeyName]) throws(SyncError) -> Undo {
        var undo = Undo(
            added: link.changes.added.map(\.name),
            removed: [],
            keepers: keepers,
            recovery: recovery,
            recoveryName: recoveryName,
            keyLink: keyLink,
            keyName: keyName
        )
        for name in link.changes.removed {
            if let member = members.removeValue(forKey: name) {
                undo.removed.append((name, member))
            }
        }
        if !link.changes.removed.isEmpty {
            let removed = Set(link.changes.removed)
            keepers.removeAll { removed.contains($0) }
        }
        for newcomer in link.changes.added {
            members[newcomer.name] = Member(
                keys: newcomer.keys,
                deviceName: newcomer.deviceName,
                link: link.digest,
                addedBy: signers
            )
            everyone[newcomer.name] = newcomer.keys
            if newcomer.isKeeper { keepers.append(newcomer.name) }
        }
        keepers += link.changes.promoted
        switch link.changes.recovery {
        case .unchanged: break
        case .none: (recovery, recoveryName) = (nil, nil)
        case .keys(let keys): (recovery, recoveryName) = (keys, try KeyName(of: keys))
        }
        if let newKey = link.newKey { (keyLink, keyName) = (link.digest, newKey) }
        return undo
    }

    /// Restores the state before a link.
    mutating func undo(_ undo: Undo) {
        for name in undo.added {
            members[name] = nil
            everyone[name] = nil
        }
        for (name, member) in undo.removed { members[name] = member }
        keepers = undo.keepers
        recovery = undo.recovery
        recoveryName = undo.recoveryName
        keyLink = undo.keyLink
        keyName = undo.keyName
    }
}
