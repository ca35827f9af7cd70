// What the chosen chain says of the past.
extension CircleChain {
    /// The key in force at a link of the chosen chain; nil if it is not on it.
    package func seal(at digest: SyncDigest) -> SealName? {
        place(of: digest).map { seals[$0] }
    }

    /// The circle after a link that counts, whether or not it is on the chosen chain; else nil.
    package func head(at digest: SyncDigest) throws(SyncError) -> Head? {
        var path: [Link] = []
        var next = digest
        while let link = link(next) {
            path.append(link)
            next = link.previous
        }
        guard path.last?.isFounding == true else { return nil }
        var state = CircleState()
        for link in path.reversed() { _ = try state.apply(link, by: []) }
        return path.first.map { Head(link: $0, state: state) }
    }

    /// The last link of the chosen chain behind which these may sign, who have some of its keys.
    ///
    /// A later keeper that was stolen may have kept the key in force from them. Whatever follows
    /// this link gives way to what they sign there: of all who signed in only one of the two,
    /// nobody is before them in the order.
    package func base(
        for signers: Set<KeyName>,
        having keys: Set<SealName>
    ) throws(SyncError) -> Head? {
        var state = CircleState()
        var undos: [CircleState.Undo] = []
        for link in chain { undos.append(try state.apply(link, by: self.signers(of: link.digest))) }
        var later: Set<KeyName> = []
        for (place, link) in chain.enumerated().reversed() {
            if keys.contains(seals[place]) {
                let decider = state.order.first { signers.contains($0) != later.contains($0) }
                if let decider, signers.contains(decider) { return Head(link: link, state: state) }
            }
            later.formUnion(self.signers(of: link.digest))
            state.undo(undos[place])
        }
        return nil
    }

    /// A box for somebody.
    package struct BoxPlace: Sendable {
        package let link: Link
        /// Where the link stands on the chain.
        package let place: Int
        /// Where the box stands among the boxes of the link.
        package let index: Int
        /// The key that is in it.
        package let seal: SealName
    }

    /// The boxes of the chosen chain for a device or a recovery key, the latest first; of those
    /// links that are wanted.
    package func boxes(
        for name: KeyName,
        where isWanted: (Link, SealName) -> Bool = { _, _ in true }
    ) throws(SyncError) -> [BoxPlace] {
        var state = CircleState()
        var boxes: [BoxPlace] = []
        for (place, link) in chain.enumerated() {
            let added = state.members[name] == nil
            _ = try state.apply(link, by: [])
            let isNew = added && state.members[name] != nil
            guard link.newKey != nil || isNew, isWanted(link, seals[place]) else { continue }
            let readers = state.readers(of: link)
            let keys = name == state.recoveryName ? state.recovery : state.members[name]?.keys
            guard let keys, let index = readers.firstIndex(of: keys) else { continue }
            boxes.append(BoxPlace(link: link, place: place, index: index, seal: seals[place]))
        }
        return boxes.reversed()
    }

    /// Who is in the circle because of a device, by name: whom it let in, and whom these let in, or
    /// recovery keys that one of these set, also if those are gone since.
    package func letIn(by device: KeyName) throws(SyncError) -> [KeyName] {
        var found: Set = [device]
        for link in chain where signers(of: link.digest).contains(where: found.contains) {
            found.formUnion(link.changes.added.map(\.name))
            // The key that the circle was founded with is a person's.
            guard case .keys(let keys) = link.changes.recovery, !link.isFounding else { continue }
            found.insert(try KeyName(of: keys))
        }
        let members = head?.state.members ?? [:]
        return found.filter { $0 != device && members[$0] != nil }.sorted()
    }
}
