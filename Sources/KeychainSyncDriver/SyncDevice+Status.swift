import KeychainSync
import SyncRelay

// The members of the circle, the devices that ask to join, and the status.
extension SyncDevice {
    /// Returns the devices that ask to join.
    package mutating func requests(
        through relay: some Relay
    ) throws(SyncFailure) -> [PendingRequest] {
        try requests(on: relay).map(\.0)
    }

    mutating func requests(
        on relay: some Relay
    ) throws(SyncFailure) -> [(PendingRequest, PeerKeys)] {
        let (state, _) = try member()
        let listing = try fromRelay(try relay.streams())
        var found: [(PendingRequest, PeerKeys)] = []
        for (stream, range) in listing.sorted(by: { $0.key < $1.key }) {
            guard state.machine.circle?.knows(stream.device) != true, range.lowerBound == 0 else {
                continue
            }
            let shown = try fromRelay(try relay.sound(of: stream, from: 0, byteCountLimit: 1))
            guard let first = shown.first,
                let shown = try? UnverifiedEntry(
                    first,
                    of: state.membership.account,
                    at: EntryPlace(stream, 0),
                    after: .zeros
                ),
                let request = try? JoinRequest(shown, state.membership.code)
            else { continue }
            let pending = PendingRequest(
                peer: stream.device,
                deviceName: request.deviceName,
                fingerprint: stream.device.fingerprint
            )
            found.append((pending, request.keys))
        }
        return found
    }

    /// Reads the relay's links, and returns those that do not count.
    ///
    /// The call records nothing in the keychain.
    package mutating func linkFaults(
        through relay: some Relay
    ) throws(SyncFailure) -> [(link: SyncDigest, fault: LinkFault)] {
        var (state, _) = try joined()
        var report = SyncReport()
        _ = try state.readLinks(relay, &report)
        return linkFaults(of: state.machine.chain)
    }

    private func linkFaults(
        of chain: CircleChain
    ) -> [(link: SyncDigest, fault: LinkFault)] {
        chain.faults.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Scans the keychain as a pass does, but records nothing.
    ///
    /// - Returns: The machine after the scan, and the number of deletions that it found.
    private func looked(
        _ state: SyncState
    ) throws(SyncFailure) -> (machine: SyncMachine, deletionCount: Int) {
        var machine = state.machine
        guard state.membership.phase == .member else { return (machine, 0) }
        var scan = try keychain.scan()
        if scan.damagedCount > 0 { scan.addKnown(machine.memory) }
        let actions = try fromFormat(try machine.handle(.scanned(scan.items, now: milliseconds)))
        let deletions = actions.filter { if case .bury = $0 { true } else { false } }
        return (machine, deletions.count)
    }

    /// Returns the status of the circle; nil if the keychain is in none.
    package mutating func status() throws(SyncFailure) -> SyncStatus? {
        try load()
        guard let state, let signer else { return nil }
        let (machine, deletionCount) = try looked(state)
        let chain = machine.chain
        let versions = machine.memory.versions.values
        return SyncStatus(
            membership: state.membership,
            devices: devices(of: machine),
            head: chain.head?.link.code,
            linkCount: chain.chain.count,
            hasRecoveryKey: machine.circle?.recovery != nil,
            linkFaults: linkFaults(of: chain),
            entryFaults: state.faults.sorted {
                ($0.key.stream, $0.key.number) < ($1.key.stream, $1.key.number)
            }.map { ($0.key, $0.value) },
            copied: chain.forkers.sorted(),
            itemCount: versions.count { !$0.mark.isTombstone && $0.isHeld } - deletionCount,
            unpublishedCount: machine.unpublished.count + deletionCount,
            outboxCount: state.outbox.count + state.linkOutbox.count,
            fingerprint: try fromFormat(try signer.name().fingerprint)
        )
    }

    /// Returns the members, sorted by name.
    private func devices(of machine: SyncMachine) -> [CircleDevice] {
        var entryCounts: [KeyName: UInt64] = [:]
        var forked: Set<KeyName> = []
        for (stream, memory) in machine.memory.streams {
            entryCounts[stream.device, default: 0] += memory.head.entryCount
            if !memory.forkedBy.isEmpty { forked.insert(stream.device) }
        }
        let members = machine.circle?.members ?? [:]
        return members.map { name, member in
            CircleDevice(
                peer: name,
                deviceName: member.deviceName,
                fingerprint: name.fingerprint,
                entryCount: entryCounts[name] ?? 0,
                isThisDevice: name == machine.memory.peer,
                isForked: forked.contains(name),
                isKeeper: machine.circle?.isKeeper(name) ?? false,
                isLeaving: machine.memory.own.leaving.contains(name)
            )
        }.sorted { ($0.deviceName, $0.peer) < ($1.deviceName, $1.peer) }
    }
}
