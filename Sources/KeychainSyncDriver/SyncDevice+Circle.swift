import Cryptography
import KeychainMessages
import KeychainModel
import KeychainSync
import Secrets
import SyncRelay

// What people do with a circle. What is to be told is recorded first; then the relay gets it.
//
// Source: Documentation/Spec/sync.md §4, §5, §9.
extension SyncDevice {
    /// Founds a circle with this device as its only member.
    ///
    /// - Parameters:
    ///   - deviceName: At most 255 bytes of it are kept.
    ///   - relayName: What a person named the relay by.
    ///   - recovery: The key that the person keeps.
    /// - Returns: The code for other devices.
    /// - Throws: `alreadyJoined`; `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func create(
        deviceName: String,
        relayName: String,
        recovery: borrowing RecoveryKey
    ) throws(SyncFailure) -> SyncCode {
        let signer = try newKeys()
        let recoveryKeys = try fromFormat(try recovery.signer().keys)
        let founding = try fromFormat(
            try Statement(
                .found(
                    random: try nonce(16),
                    founder: signer.keys,
                    deviceName: DeviceName.fitting(deviceName),
                    recovery: recoveryKeys
                ),
                generation: 0,
                entry: 0,
                in: .zeros,
                by: signer
            )
        )
        let code = try fromCryptography(try SyncCode(circleOf: founding.encoded))
        let membership = try Membership(
            code,
            founding: founding.digest,
            .member,
            deviceName: deviceName,
            relayName: relayName,
            classes: keychain.exchangedClasses
        )
        let (first, keyRecord) = try firstState(membership)
        var state = first
        let key = try fromCryptography(try random.secret(AESGCM.keyByteCount))
        let epoch = try fromCryptography(try EpochName(of: key))
        state.epochKeys[epoch] = SharedSecret(key)
        let peer = try fromFormat(try signer.name())
        let recoveryName = try fromCryptography(try recoveryKeys.name())
        let memory = SyncMemory(of: peer, founding: founding.digest)
        let machine = try fromCryptography(try SyncMachine(memory))
        var writing = EntryWriting(state, machine, signer, self)
        try writing.learn([epoch], [founding])
        _ = try writing.say(.rotate(epoch, EpochReaders([peer, recoveryName], removed: [])))
        try writing.writeStatements()
        guard
            try commit(
                writing,
                keeping: [keyRecord, try state.membershipRecord()]
            )
        else { throw .alreadyJoined }
        try writeKeys()
        return code
    }

    /// Asks to join a circle; a member has to approve the fingerprint.
    ///
    /// - Returns: The fingerprint of this device.
    /// - Throws: `alreadyJoined`; `errSecInteractionNotAllowed` while the keychain is locked.
    package mutating func requestToJoin(
        _ code: SyncCode,
        deviceName: String,
        relayName: String
    ) throws(SyncFailure) -> SyncCode {
        let signer = try newKeys()
        let membership = try Membership(
            code,
            .requested,
            deviceName: deviceName,
            relayName: relayName,
            classes: keychain.exchangedClasses
        )
        let (first, keyRecord) = try firstState(membership)
        let entry = try requestEntry(membership, signer)
        var state = first
        state.outbox[0] = entry.bytes
        let records =
            [keyRecord, try state.membershipRecord()]
            + SyncState.outboxRecords(0, entry.bytes, isGone: false)
        guard try commit(state, [], MemoryChanges(), records) else { throw .alreadyJoined }
        return try fingerprint(of: signer)
    }

    /// Looks for keys for this device in all streams; with them it is a member.
    mutating func lookForApproval(
        _ signer: ElementSigner,
        _ relay: some Relay
    ) throws(SyncFailure) -> Bool {
        let (state, _) = try joined()
        guard let welcome = try Welcome.find(state.membership, signer, relay) else {
            return false
        }
        return try enter(welcome, state, signer, relay)
    }

    /// Becomes a member by what was found, with a statement if one is needed.
    private mutating func enter(
        _ welcome: Welcome,
        _ asked: SyncState,
        _ signer: ElementSigner,
        _ relay: some Relay,
        saying statement: Statement? = nil
    ) throws(SyncFailure) -> Bool {
        var state = asked
        state.membership.founding = welcome.founding
        state.membership.phase = .member
        for (epoch, key) in welcome.gift.epochs { state.epochKeys[epoch] = key }
        let peer = try fromFormat(try signer.name())
        let memory = SyncMemory(of: peer, founding: welcome.founding)
        let machine = try fromCryptography(try SyncMachine(memory))
        var writing = EntryWriting(state, machine, signer, self)
        try writing.learn(welcome.gift.epochs.keys.sorted(), welcome.gift.statements)
        try writing.noteRequest(try ownRequest(peer, signer.keys, state, relay))
        if let statement {
            try writing.learn([], [statement])
            try writing.writeStatements()
        }
        guard writing.machine.circle?.hasMember(peer) == true else { return false }
        return try commit(writing, keeping: [try state.membershipRecord()])
    }

    /// The digest of this device's request, which is the first entry of its stream.
    private func ownRequest(
        _ peer: PeerName,
        _ keys: PeerKeys,
        _ state: SyncState,
        _ relay: some Relay
    ) throws(SyncFailure) -> SyncDigest {
        var bytes = state.outbox[0]
        if bytes == nil {
            bytes = try fromRelay(try relay.entries(of: peer, from: 0, byteCountLimit: 1)).first
        }
        guard let bytes else { throw .rolledBack(peer) }
        // What the stream goes on from has to be what this device wrote: others check that.
        let shown = try fromFormat(
            try UnverifiedEntry(
                bytes,
                of: state.membership.account,
                at: EntryPlace(peer, 0),
                after: .zeros
            )
        )
        return try fromFormat(try SignedEntry(shown, signedBy: keys).digest)
    }

    /// Joins without another device, by the recovery key.
    ///
    /// - Throws: `wrongRecoveryKey` if no entry on the relay is for that key.
    package mutating func join(
        _ code: SyncCode,
        with recovery: borrowing RecoveryKey,
        deviceName: String,
        relayName: String,
        through relay: some Relay
    ) throws(SyncFailure) {
        let recoverySigner = try fromFormat(try recovery.signer())
        _ = try requestToJoin(code, deviceName: deviceName, relayName: relayName)
        let (state, signer) = try joined()
        guard
            let welcome = try Welcome.find(state.membership, recoverySigner, relay)
        else {
            try forget()
            throw .wrongRecoveryKey
        }
        let statement = try fromFormat(
            try Statement(
                .add(signer.keys, deviceName: state.membership.deviceName),
                generation: welcome.circle.nextGeneration,
                entry: 0,
                in: state.membership.account,
                by: recoverySigner
            )
        )
        guard try enter(welcome, state, signer, relay, saying: statement) else {
            try forget()
            throw .wrongRecoveryKey
        }
        try flush(to: relay)
    }

    /// Lets a device join that asked to.
    ///
    /// - Parameters:
    ///   - fingerprint: What that device shows.
    ///   - relay: The circle's.
    /// - Returns: Its name.
    /// - Throws: `noSuchRequest`; what a pass throws.
    package mutating func approve(
        _ fingerprint: SyncCode,
        through relay: some Relay
    ) throws(SyncFailure) -> String {
        guard try membership()?.code != fingerprint else { throw .circleCode }
        _ = try pass(through: relay)
        let requests = try requests(on: relay)
        guard let (request, keys) = requests.first(where: { $0.0.fingerprint == fingerprint })
        else { throw .noSuchRequest }
        try tell(.add(keys, deviceName: request.deviceName))
        try flush(to: relay)
        return request.deviceName
    }

    /// Removes a member; the circle has new keys from then on.
    ///
    /// - Parameters:
    ///   - name: A device's name or fingerprint.
    ///   - relay: The circle's.
    /// - Returns: Its name.
    /// - Throws: `noSuchDevice`; `ambiguousDevice`; what a pass throws.
    package mutating func remove(
        _ name: String,
        through relay: some Relay
    ) throws(SyncFailure) -> String {
        _ = try pass(through: relay)
        let others = try status()?.devices.filter { !$0.isThisDevice } ?? []
        let code = SyncCode(name)
        let named = others.filter { $0.deviceName == name || $0.fingerprint == code }
        guard let device = named.first else { throw .noSuchDevice }
        guard named.count == 1 else { throw .ambiguousDevice }
        let (_, machine, _) = try member()
        try tell(machine.removal(of: device.peer))
        try renewEpoch()
        try flush(to: relay)
        return device.deviceName
    }

    /// Leaves the circle; items stay.
    ///
    /// - Throws: What a pass throws; the device is in the circle then.
    package mutating func leave(through relay: some Relay) throws(SyncFailure) {
        let (state, _) = try joined()
        if state.membership.phase == .member {
            _ = try pass(through: relay)
            let (_, machine, _) = try member()
            if machine.circle?.members.count ?? 0 > 1 {
                try tell(machine.removal(of: machine.memory.peer))
                try flush(to: relay)
            }
        }
        try forget()
    }

    /// Leaves the circle without a word: the others go on sealing for this device.
    package mutating func leaveSilently() throws(SyncFailure) {
        _ = try joined()
        try forget()
    }

    /// Replaces the recovery key, and the epoch that the earlier one opens.
    package mutating func replaceRecoveryKey(
        _ recovery: borrowing RecoveryKey,
        through relay: some Relay
    ) throws(SyncFailure) {
        _ = try pass(through: relay)
        let (_, machine, _) = try member()
        let earlier = machine.circle?.recoveryName
        let counted = machine.memory.statements.values.filter { $0.author == earlier }
        let keys = try fromFormat(try recovery.signer().keys)
        try tell(.recover(keys, counted: counted.map(\.digest)))
        try renewEpoch()
        try flush(to: relay)
    }

    /// Notes where the relay is from now on.
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

// Steps of these.
extension SyncDevice {
    /// Signs a statement and records the segment that tells of it, then the keys that follow.
    private mutating func tell(_ action: Statement.Action) throws(SyncFailure) {
        let (state, machine, signer) = try member()
        var writing = EntryWriting(state, machine, signer, self)
        _ = try writing.say(action)
        try writing.writeStatements()
        guard try commit(writing) else { throw .damagedState("the records changed meanwhile") }
        try writeKeys()
    }

    /// Makes a new epoch now, where the machine would wait until there is something to tell.
    private mutating func renewEpoch() throws(SyncFailure) {
        let (state, machine, signer) = try member()
        guard let circle = machine.circle, let (segment, earlier) = machine.segmentForStatement()
        else { throw .notJoined }
        var writing = EntryWriting(state, machine, signer, self)
        try writing.writeEpoch(circle.epochReaders, segment, under: earlier)
        guard try commit(writing) else { throw .damagedState("the records changed meanwhile") }
    }

    /// Records the keys that this device owes.
    private mutating func writeKeys() throws(SyncFailure) {
        let (state, machine, signer) = try member()
        let owed = machine.owedKeys()
        guard !owed.isEmpty else { return }
        var writing = EntryWriting(state, machine, signer, self)
        try writing.writeKeys(owed)
        guard try commit(writing) else { throw .damagedState("the records changed meanwhile") }
    }

    /// New keys for a keychain that is in no circle.
    private mutating func newKeys() throws(SyncFailure) -> ElementSigner {
        try load()
        if let state, state.membership.phase != .removed { throw .alreadyJoined }
        if state != nil { try forget() }
        let made = try ElementSigner.make(in: keychain.endpoint)
        signer = made
        return made
    }

    /// Removes keys and records; items stay.
    mutating func forget() throws(SyncFailure) {
        try keychain.forget()
        try ElementSigner.remove(from: keychain.endpoint)
        signer = nil
        forgetState()
    }

    /// A state with a new key for its records, and the record of that key.
    private func firstState(
        _ membership: Membership
    ) throws(SyncFailure) -> (SyncState, SyncRecord) {
        let (seal, record) = try RecordSeal.make(in: keychain.endpoint, random)
        return (SyncState(seal, membership), record)
    }

    private func requestEntry(
        _ membership: Membership,
        _ signer: ElementSigner
    ) throws(SyncFailure) -> SignedEntry {
        let peer = try fromFormat(try signer.name())
        let header = EntryHeader(
            .request,
            membership.account,
            EntryPlace(peer, 0),
            previous: .zeros
        )
        let nonce = try randomBytes(AESGCM.nonceByteCount)
        return try fromFormat(
            try JoinRequest(signer.keys, deviceName: membership.deviceName)
                .entry(header, membership.code, nonce: nonce, by: signer)
        )
    }

    func fingerprint(of signer: ElementSigner) throws(SyncFailure) -> SyncCode {
        SyncCode(try fromCryptography(try signer.keys.digest()))
    }

    private func nonce(_ count: Int) throws(SyncError) -> [UInt8] {
        do throws(CryptographyError) { return try random.bytes(count) } catch {
            throw .backend("\(error)")
        }
    }
}
