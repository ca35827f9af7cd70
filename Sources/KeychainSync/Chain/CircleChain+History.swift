// Questions about the past of the chosen chain.
extension CircleChain {
    /// The name of the key in force at a link; nil if the link is not on the chosen chain.
    package func seal(at digest: SyncDigest) -> SealName? {
        place(of: digest).map { seals[$0] }
    }

    /// Returns a link and the circle after it; nil if a link on the way is unknown.
    ///
    /// The link need not be on the chosen chain, but this device must have checked its signatures
    /// and those of all links before it.
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

    /// Returns the last link of the chosen chain from which these signers can start a winning
    /// branch.
    ///
    /// They must have the key in force at that link. A stolen device of a later keeper may have
    /// kept the newer keys from them. What the signers sign after the returned link wins against
    /// everything that follows it now: the first in the order who signs only one of the two
    /// branches is one of them.
    ///
    /// - Returns: nil if there is no such link.
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

    /// The position of a box that one reader can open.
    package struct BoxPlace: Sendable {
        package let link: Link
        /// The index of the link in the chain.
        package let place: Int
        /// The index of the box among the boxes of the link.
        package let index: Int
        /// The name of the key in the box.
        package let seal: SealName
    }

    /// Returns the boxes of the chosen chain for a device or a recovery key, latest first.
    ///
    /// `isWanted` gets a link and the name of the key in force there, and may leave that box out.
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

    /// Returns the present members that are in the circle because of a device, sorted by name.
    ///
    /// These are the members that it added, the members that those added, and so on. The search
    /// also follows recovery keys that one of them set, and devices that have left since.
    package func letIn(by device: KeyName) throws(SyncError) -> [KeyName] {
        var found: Set = [device]
        for link in chain where signers(of: link.digest).contains(where: found.contains) {
            found.formUnion(link.changes.added.map(\.name))
            // The founder's recovery key belongs to a person, not to the founding device.
            guard case .keys(let keys) = link.changes.recovery, !link.isFounding else { continue }
            found.insert(try KeyName(of: keys))
        }
        let members = head?.state.members ?? [:]
        return found.filter { $0 != device && members[$0] != nil }.sorted()
    }
}
