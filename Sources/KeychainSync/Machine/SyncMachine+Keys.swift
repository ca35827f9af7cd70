extension SyncMachine {
    /// The keys that this peer has to give, and to whom; the recovery key is among them by its
    /// name.
    ///
    /// The maker of an epoch gives it to its recipients, and to the recovery key. Who added a
    /// peer gives it all others. Where they are not in the circle any more, everybody does.
    ///
    /// - Source: Documentation/Spec/sync.md §5.
    package func owedKeys() -> [PeerName: Set<EpochName>] {
        guard let circle, circle.hasMember(memory.peer) else { return [:] }
        var owed: [PeerName: Set<EpochName>] = [:]
        for (peer, state) in circle.peers where peer != memory.peer {
            guard state.entryCount == nil else {
                if owesFarewell(to: peer, state, circle) { owed[peer] = [] }
                continue
            }
            let rest = memory.epochs.subtracting(memory.sentKeys[peer] ?? [])
            guard !rest.isEmpty else { continue }
            let own = rest.filter { isInCharge(of: $0, for: peer, state, circle) }
            if !own.isEmpty { owed[peer] = own }
        }
        let recovery = circle.recoveryName
        let rest = memory.epochs.subtracting(memory.sentKeys[recovery] ?? [])
            .filter { isInChargeForRecovery(of: $0, circle) }
        if !rest.isEmpty { owed[recovery] = rest }
        return owed
    }

    private func isInCharge(
        of name: EpochName,
        for peer: PeerName,
        _ state: Circle.Peer,
        _ circle: Circle
    ) -> Bool {
        let epoch = circle.epochs.first { $0.name == name }
        if let epoch, circle.hasMember(epoch.maker) {
            guard epoch.maker != peer else { return false }
            if epoch.recipients.contains(peer) { return epoch.maker == memory.peer }
        }
        guard let adder = state.addedBy, circle.hasMember(adder) else { return true }
        return adder == memory.peer
    }

    /// Whether a removed peer gets the statements from this one.
    ///
    /// If it was away, it may find nothing but checkpoints that it cannot open. Who removed it
    /// tells it; if that one is not in the circle any more, everybody does. It is told again if
    /// others do not count: it may know one of those, and take it for true.
    private func owesFarewell(
        to peer: PeerName,
        _ state: Circle.Peer,
        _ circle: Circle
    ) -> Bool {
        guard memory.own.farewells[peer] != circle.uncounted else { return false }
        guard let remover = state.removedBy, circle.hasMember(remover) else { return true }
        return remover == memory.peer
    }

    private func isInChargeForRecovery(of name: EpochName, _ circle: Circle) -> Bool {
        guard let epoch = circle.epochs.first(where: { $0.name == name }),
            circle.hasMember(epoch.maker)
        else { return true }
        return epoch.maker == memory.peer
    }
}
