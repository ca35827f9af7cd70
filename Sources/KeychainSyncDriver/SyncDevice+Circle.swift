import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// The user's operations on a circle. Each records its link or entry before the relay gets it.
//
// Source: Documentation/Spec/sync.md §2, §3, §6, §9.
extension SyncDevice {
    /// Founds a circle with this device as its only member and keeper.
    ///
    /// - Parameters:
    ///   - deviceName: At most 255 bytes of it are kept.
    ///   - relayName: The relay's address.
    ///   - recovery: The public keys of the recovery key; nil for none.
    /// - Returns: The code for other devices.
    /// - Throws: `alreadyJoined`; `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func create(
        deviceName: String,
        relayName: String,
        recovery: PeerKeys?
    ) throws(SyncFailure) -> SyncCode {
        let signer = try newKeys()
        let made = try fromFormat(
            try linkWriter.found(
                by: signer,
                deviceName: DeviceName.fitting(deviceName),
                recovery: recovery
            )
        )
        let code = made.link.code
        var (state, records) = try firstState(code, .member, deviceName, relayName, signer)
        records += try state.take(made, try randomBytes(AESGCM.nonceByteCount))
        _ = try fromFormat(try state.machine.handle(.said(made.link)))
        guard try commit(state, [], state.takeChanges(), records) else { throw .alreadyJoined }
        return code
    }

    /// Asks to join a circle; a keeper has to approve the fingerprint.
    ///
    /// - Returns: The fingerprint of this device.
    /// - Throws: `alreadyJoined`; `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func requestToJoin(
        _ code: SyncCode,
        deviceName: String,
        relayName: String
    ) throws(SyncFailure) -> SyncCode {
        let signer = try newKeys()
        var (state, records) = try firstState(code, .requested, deviceName, relayName, signer)
        let header = EntryHeader(
            .request,
            state.membership.account,
            state.machine.ownPlace,
            previous: .zeros
        )
        let nonce = try randomBytes(AESGCM.nonceByteCount)
        let entry = try fromFormat(
            try JoinRequest(signer.keys, deviceName: deviceName)
                .entry(header, code, nonce: nonce, by: signer)
        )
        _ = try fromFormat(try state.machine.handle(.wroteOther(entry.mark)))
        state.outbox[0] = entry.bytes
        records += SyncState.outboxRecords(0, entry.bytes, isGone: false)
        guard try commit(state, [], state.takeChanges(), records) else { throw .alreadyJoined }
        return try fromFormat(try signer.name().fingerprint)
    }

    /// Joins with the recovery key instead of an approval; this device becomes a keeper.
    ///
    /// - Throws: `alreadyJoined`; `wrongRecoveryKey` if the chain on the relay does not name that
    ///   key, or gives it no key; errors of the relay. If the chain cannot be read, the keychain
    ///   stays as it was.
    package mutating func join(
        _ code: SyncCode,
        with recovery: borrowing RecoveryKey,
        deviceName: String,
        relayName: String,
        through relay: some Relay
    ) throws(SyncFailure) {
        let paper = try fromFormat(try recovery.signer())
        try checkIsOut()
        // The records of a circle that removed this device go only after all checks, so that a
        // wrong key, code or relay loses nothing.
        var (found, _) = try firstState(code, .member, deviceName, relayName, paper)
        var report = SyncReport()
        _ = try found.readLinks(relay, &report)
        _ = try found.findKeys(paper, relay)
        guard let head = found.machine.chain.head,
            head.state.recoveryName == (try fromFormat(try paper.name())),
            let key = found.keys[head.state.keyName]
        else { throw .wrongRecoveryKey }
        let signer = try newKeys()
        var (state, records) = try firstState(code, .member, deviceName, relayName, signer)
        state.takeLinks(from: found, rules)
        var changes = Link.Changes()
        changes.added = [
            try fromFormat(
                try Link.Newcomer(signer.keys, deviceName: deviceName, isKeeper: true)
            )
        ]
        let lost = try state.lostKeys(at: head.link.digest)
        let made = try fromFormat(
            try linkWriter.follow(
                changes,
                after: head,
                key,
                code,
                by: [paper],
                giving: lost
            )
        )
        records += try state.take(made, try randomBytes(AESGCM.nonceByteCount))
        _ = try fromFormat(try state.machine.handle(.said(made.link)))
        records += try state.chainRecords()
        guard try commit(state, [], state.takeChanges(), records) else { throw .alreadyJoined }
        try flush(to: relay)
    }

    /// Approves a device that asks to join.
    ///
    /// - Parameters:
    ///   - fingerprint: The fingerprint that the device shows.
    ///   - keeper: Whether it becomes a keeper.
    ///   - relay: The circle's relay.
    /// - Returns: The device's name.
    /// - Throws: `circleCode`; `noSuchRequest`; `notKeeper`; errors of a pass.
    package mutating func approve(
        _ fingerprint: SyncCode,
        keeper: Bool = false,
        through relay: some Relay
    ) throws(SyncFailure) -> String {
        guard try membership()?.code != fingerprint else { throw .circleCode }
        _ = try pass(through: relay)
        let requests = try requests(on: relay)
        guard let (request, keys) = requests.first(where: { $0.0.fingerprint == fingerprint })
        else { throw .noSuchRequest }
        var changes = Link.Changes()
        changes.added = [
            try fromFormat(
                try Link.Newcomer(keys, deviceName: request.deviceName, isKeeper: keeper)
            )
        ]
        try say(changes, through: relay)
        return request.deviceName
    }

    /// Makes a member a keeper.
    ///
    /// - Returns: The device's name.
    package mutating func promote(
        _ name: String,
        through relay: some Relay
    ) throws(SyncFailure) -> String {
        _ = try pass(through: relay)
        let device = try other(name)
        guard !device.isKeeper else { throw .keeperAlready }
        var changes = Link.Changes()
        changes.promoted = [device.peer]
        try say(changes, through: relay)
        return device.deviceName
    }

    /// The fate of the devices that a removed device let in.
    package enum LetIn: Sendable {
        /// If there are any, the removal fails with `letIn`.
        case ask
        case stay
        case go
    }

    /// Removes a member; the circle has a new key from then on.
    ///
    /// - Parameters:
    ///   - name: A device's name or fingerprint.
    ///   - letIn: The fate of the devices that it let in.
    ///   - recovery: The recovery key; if it signs as well, no keeper can undo the removal.
    ///   - relay: The circle's relay.
    /// - Returns: The names of all removed devices.
    /// - Throws: `noSuchDevice`; `ambiguousDevice`; `letIn`; `notKeeper`; errors of a pass.
    package mutating func remove(
        _ name: String,
        _ letIn: LetIn = .ask,
        with recovery: SoftwareSigner? = nil,
        through relay: some Relay
    ) throws(SyncFailure) -> [String] {
        _ = try pass(through: relay)
        let device = try other(name)
        let (state, signer) = try joined()
        let own = try fromFormat(try signer.name())
        let found = try fromFormat(try state.machine.chain.letIn(by: device.peer))
            .filter { $0 != own }
        // Keepers go first: until they are removed they could let in more devices.
        let isKeeper = { state.machine.circle?.isKeeper($0) ?? false }
        let others = found.filter(isKeeper) + found.filter { !isKeeper($0) }
        let names = others.compactMap { state.machine.circle?.members[$0]?.deviceName }
        var changes = Link.Changes()
        changes.removed = [device.peer]
        switch letIn {
        case .ask: guard names.isEmpty else { throw .letIn(names) }
        case .stay: break
        case .go: changes.removed += others
        }
        try say(changes, with: recovery, through: relay)
        return [device.deviceName] + (letIn == .go ? names : [])
    }

    /// Leaves the circle; items stay.
    ///
    /// A keeper removes this device in its next pass, because a device that leaves must not make
    /// the new key.
    ///
    /// - Throws: `firstKeeper`; errors of a pass. After an error the device is still in the circle.
    package mutating func leave(through relay: some Relay) throws(SyncFailure) {
        if try joined().0.membership.phase != .removed { try sayLeave(relay) }
        try forget()
    }

    /// Announces to the others that this device leaves, or withdraws its request.
    ///
    /// A request needs this as well, because a keeper could approve it later.
    private mutating func sayLeave(_ relay: some Relay) throws(SyncFailure) {
        _ = try pass(through: relay)
        let (state, signer) = try joined()
        let circle = state.machine.circle
        let own = try fromFormat(try signer.name())
        guard circle?.members[own] == nil || circle?.members.count ?? 0 > 1 else { return }
        guard circle?.keepers.first != own else { throw .firstKeeper }
        try writeLeave()
        guard try !flush(to: relay) else { return }
        // The place of the entry was occupied. It goes to another stream, which `flush` has begun
        // already if this device is a member.
        if try joined().0.membership.phase == .requested { try begin() }
        try writeLeave()
        try flush(to: relay)
    }

    /// Leaves the circle without an announcement.
    ///
    /// The other devices still seal for this device until a keeper removes it.
    package mutating func leaveSilently() throws(SyncFailure) {
        _ = try joined()
        try forget()
    }

    /// Replaces the recovery key, and the key in force, because the earlier recovery key opens it.
    ///
    /// If the earlier recovery key signs as well, nobody who has it can undo the replacement.
    ///
    /// - Throws: `notFirstKeeper` if neither the first keeper nor the earlier key signs; errors of
    ///   a pass.
    package mutating func replaceRecoveryKey(
        _ recovery: PeerKeys,
        with earlier: SoftwareSigner? = nil,
        through relay: some Relay
    ) throws(SyncFailure) {
        _ = try pass(through: relay)
        let (state, signer) = try member()
        let own = try fromFormat(try signer.name())
        if earlier == nil, let circle = state.machine.circle, circle.isKeeper(own),
            !circle.mayChangeRecovery([own])
        {
            throw .notFirstKeeper
        }
        var changes = Link.Changes()
        changes.recovery = .keys(recovery)
        try say(changes, with: earlier, through: relay)
    }

    /// Records the relay's new address.
    package mutating func setRelay(_ name: String) throws(SyncFailure) {
        var (state, _) = try joined()
        state.membership.relayName = name
        _ = try commit(state, [], MemoryChanges(), [try state.membershipRecord()])
    }

    /// Switches synchronization on or off; items stay local while it is off.
    package mutating func setOn(_ isOn: Bool) throws(SyncFailure) {
        var (state, _) = try joined()
        state.membership.isOn = isOn
        _ = try commit(state, [], MemoryChanges(), [try state.membershipRecord()])
    }
}

// Helpers of the operations above.
extension SyncDevice {
    /// Returns the other device with a fingerprint or a name.
    ///
    /// A fingerprint goes before names, because several devices may have one name.
    private mutating func other(_ name: String) throws(SyncFailure) -> CircleDevice {
        let others = try status()?.devices.filter { !$0.isThisDevice } ?? []
        let code = SyncCode(name)
        if let device = others.first(where: { $0.fingerprint == code }) { return device }
        let named = others.filter { $0.deviceName == name }
        guard let device = named.first else { throw .noSuchDevice }
        guard named.count == 1 else { throw .ambiguousDevice }
        return device
    }

    /// Makes a link with the user's changes, sends it to the relay, and makes a pass.
    ///
    /// Changes that are too large for one link go into several.
    private mutating func say(
        _ changes: Link.Changes,
        with paper: SoftwareSigner? = nil,
        through relay: some Relay
    ) throws(SyncFailure) {
        for part in changes.parts { try write(part, with: paper) }
        try flush(to: relay)
        _ = try pass(through: relay)
    }

    /// Checks that the keychain is in no circle, or was removed from its circle.
    private mutating func checkIsOut() throws(SyncFailure) {
        try load()
        if let state, state.membership.phase != .removed { throw .alreadyJoined }
    }

    /// Makes new keys for a keychain that is in no circle.
    private mutating func newKeys() throws(SyncFailure) -> any PeerSigner {
        try checkIsOut()
        if state != nil { try forget() }
        let made = try keychain.makeSigner()
        signer = made
        return made
    }

    /// Removes the device's keys and records; items stay.
    mutating func forget() throws(SyncFailure) {
        try keychain.forget()
        try keychain.removeSigner()
        signer = nil
        forgetState()
    }

    /// Makes the first state, with a new key for its records, and the first two records.
    private func firstState(
        _ code: SyncCode,
        _ phase: Membership.Phase,
        _ deviceName: String,
        _ relayName: String,
        _ signer: any PeerSigner
    ) throws(SyncFailure) -> (SyncState, [SyncRecord]) {
        let stream = StreamName(
            of: try fromFormat(try signer.name()),
            try randomBytes(StreamName.randomByteCount)
        )
        let membership = try Membership(
            code,
            phase,
            stream: stream,
            deviceName: deviceName,
            relayName: relayName,
            classes: keychain.exchangedClasses
        )
        let (seal, record) = try keychain.makeSeal(random)
        let state = SyncState(seal, membership, rules)
        return (state, [record, try state.membershipRecord()])
    }

    /// A writer of links that have the current time.
    var linkWriter: LinkWriter {
        let milliseconds = (now() + KeychainScan.epochOffset) * 1000
        return LinkWriter(random, time: UInt64(max(0, milliseconds.rounded())), rules: rules.circle)
    }
}
