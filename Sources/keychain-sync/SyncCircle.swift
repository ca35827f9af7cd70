import Cryptography
import KeychainCommand
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay

/// The verbs that change the members of a circle.
enum SyncCircle {
    /// Founds a circle.
    @Sendable static func create(_ run: borrowing SyncRun) throws(CommandFailure) {
        guard let address = try run.namedRelay() else {
            throw .usage("name a relay: --relay ~/Sync/keychain")
        }
        let lock = try run.lock()
        var device = try run.device()
        let name = run.deviceName
        // If the relay refuses or is unreachable, no circle is left behind.
        _ = try run.open(address, .zeros, prepares: true)
        let phase = try CommandFailure.wrapping { () throws(SyncFailure) in
            try device.membership()?.phase
        }
        guard phase == nil || phase == .removed else { throw CommandFailure(.alreadyJoined) }
        let recovery = run.arguments.has(.noRecovery) ? nil : try shownRecoveryKeys(run)
        let code = try CommandFailure.wrapping { () throws(SyncFailure) in
            try device.create(deviceName: name, relayName: address.text, recovery: recovery)
        }
        var page = TextTable.page([
            ["circle", code.text], ["relay", address.text], ["device", name],
        ])
        page.append(
            line: "Other devices join with: keychainctl sync join \(code.text) --relay RELAY"
        )
        try run.context.print(page)
        if recovery == nil {
            try run.context.note(
                "note: if this device is lost, nobody can change the circle: make a recovery key"
                    + " with keychainctl sync recovery, or promote another device"
            )
        }
        let relay = try run.relay(of: &device)
        let count = try CommandFailure.wrapping { () throws(SyncFailure) in
            _ = try device.pass(through: relay)
            return try device.status()?.itemCount ?? 0
        }
        try run.context.note(
            "note: \(counted(count, "item")) to share: those that were stored with --synchronizable"
        )
        extend(lock)
    }

    private static func freshRecoveryKey() throws(SyncFailure) -> RecoveryKey {
        do throws(CryptographyError) {
            return RecoveryKey(try SystemRandomSource().secret(RecoveryKey.seedByteCount))
        } catch { throw .format(.backend("\(error)")) }
    }

    /// Shows a new recovery key, and continues when the user has typed it.
    private static func shownRecoveryKeys(
        _ run: borrowing SyncRun
    ) throws(CommandFailure) -> PeerKeys {
        let (keys, text) = try CommandFailure.wrapping { () throws(SyncFailure) in
            let key = try freshRecoveryKey()
            return (try publicKeys(of: key), try spelled(key))
        }
        var page = Page()
        page.append(text.secret.duplicate())
        page.append(raw: "\n")
        try run.context.print(page)
        try run.context.note(
            "note: write this recovery key down; it is shown once. Who has it can remove any"
                + " device. Without one: --no-recovery"
        )
        let typed = try run.context.hiddenLine(called: "recovery key")
        let mistyped = CommandFailure.unmet(
            "this is not the recovery key that was shown; nothing was founded"
        )
        let typedKeys: PeerKeys
        do throws(SyncFailure) { typedKeys = try signer(typed).keys } catch {
            guard case .wrongRecoveryKey = error else { throw CommandFailure(error) }
            throw mistyped
        }
        guard typedKeys == keys else { throw mistyped }
        return keys
    }

    private static func publicKeys(of key: borrowing RecoveryKey) throws(SyncFailure) -> PeerKeys {
        do throws(SyncError) { return try key.signer().keys } catch { throw .format(error) }
    }

    private static func spelled(_ key: borrowing RecoveryKey) throws(SyncFailure) -> SharedSecret {
        do throws(SyncError) { return SharedSecret(try key.text()) } catch {
            throw .format(error)
        }
    }

    /// Returns the key pairs of the recovery key that the user typed.
    private static func signer(_ typed: SharedSecret) throws(SyncFailure) -> SoftwareSigner {
        do throws(SyncError) {
            if let key = try RecoveryKey(typed: typed.secret) { return try key.signer() }
        } catch { throw .format(error) }
        throw .wrongRecoveryKey
    }

    /// Returns the key pairs of the recovery key if `--recovery` requests it; otherwise nil.
    private static func paper(
        _ run: borrowing SyncRun
    ) throws(CommandFailure) -> SoftwareSigner? {
        guard run.arguments.has(.recovery) else { return nil }
        let typed = try run.context.hiddenLine(called: "recovery key")
        return try CommandFailure.wrapping { () throws(SyncFailure) in try signer(typed) }
    }

    /// Asks to join, or joins with the recovery key.
    @Sendable static func join(_ run: borrowing SyncRun) throws(CommandFailure) {
        guard let address = try run.namedRelay() else {
            throw .usage("name the circle's relay: --relay ~/Sync/keychain")
        }
        let code = try run.code()
        let account = try CommandFailure.wrapping { () throws(SyncFailure) in
            do throws(SyncError) { return try code.accountName() } catch { throw .format(error) }
        }
        let lock = try run.lock()
        var device = try run.device()
        let name = run.deviceName
        let relay = try run.open(address, account, prepares: true)
        if run.arguments.has(.recovery) {
            let typed = try run.context.hiddenLine(called: "recovery key")
            try CommandFailure.wrapping { () throws(SyncFailure) in
                try recover(&device, code, typed, name, address.text, relay)
                _ = try device.pass(through: relay)
            }
            try run.context.print(line: "\(name) is in the circle.")
        } else {
            let fingerprint = try CommandFailure.wrapping { () throws(SyncFailure) in
                try device.requestToJoin(code, deviceName: name, relayName: address.text)
            }
            var page = TextTable.page([["fingerprint", fingerprint.text]])
            let command = "keychainctl sync approve \(fingerprint.text)"
            page.append(line: "On a keeper of the circle, run: \(command)")
            try run.context.print(page)
            let isEmpty = try CommandFailure.wrapping { () throws(SyncFailure) in
                _ = try device.pass(through: relay)
                return try Self.isAlone(on: relay)
            }
            if isEmpty {
                try run.context.note(
                    "note: the relay has nothing of this circle yet; if that stays so, check the"
                        + " code and the relay, then sync leave and join again"
                )
            }
        }
        extend(lock)
    }

    /// Whether the relay has no stream apart from that of this device.
    private static func isAlone(on relay: some Relay) throws(SyncFailure) -> Bool {
        do throws(RelayError) { return try relay.streams().count <= 1 } catch {
            throw .relay(error)
        }
    }

    private static func recover(
        _ device: inout SyncDevice,
        _ code: SyncCode,
        _ typed: SharedSecret,
        _ name: String,
        _ relayName: String,
        _ relay: some Relay
    ) throws(SyncFailure) {
        let key: RecoveryKey?
        do throws(SyncError) { key = try RecoveryKey(typed: typed.secret) } catch {
            throw .format(error)
        }
        guard let key else { throw .wrongRecoveryKey }
        try device.join(code, with: key, deviceName: name, relayName: relayName, through: relay)
    }

    /// Lets a device join.
    @Sendable static func approve(_ run: borrowing SyncRun) throws(CommandFailure) {
        let fingerprint = try run.code()
        let keeper = run.arguments.has(.keeper)
        try changing(run) { device, relay throws(SyncFailure) in
            do throws(SyncFailure) {
                let name = try device.approve(fingerprint, keeper: keeper, through: relay)
                return "\(shown(name)) is in the circle." + (try codeLine(&device))
            } catch {
                guard case .noSuchRequest = error,
                    let member = try device.status()?.devices
                        .first(where: { $0.fingerprint == fingerprint })
                else { throw error }
                return "\(shown(member.deviceName)) is in the circle already."
            }
        }
    }

    /// Returns a line with the code that both devices show.
    private static func codeLine(_ device: inout SyncDevice) throws(SyncFailure) -> String {
        guard let code = try device.status()?.head else { return "" }
        return "\nThe chain's code is \(code.text): sync status shows the same on the other device."
    }

    /// Makes a device a keeper, which may change the circle.
    @Sendable static func promote(_ run: borrowing SyncRun) throws(CommandFailure) {
        let name = run.operand
        try changing(run) { device, relay throws(SyncFailure) in
            "\(shown(try device.promote(name, through: relay))) is a keeper of the circle."
        }
    }

    /// Removes a device.
    @Sendable static func remove(_ run: borrowing SyncRun) throws(CommandFailure) {
        let name = run.operand
        let letIn: SyncDevice.LetIn =
            run.arguments.has(.withOthers) ? .go : run.arguments.has(.keepOthers) ? .stay : .ask
        let paper = try paper(run)
        try changing(run) { device, relay throws(SyncFailure) in
            let before = try device.status()?.devices ?? []
            let removed = try device.remove(name, letIn, with: paper, through: relay)
            let words = removed.map(shown).joined(separator: ", ")
            let verb = removed.count == 1 ? "is" : "are"
            let keepers = before.filter { removed.contains($0.deviceName) && $0.isKeeper }
            return
                "\(words) \(verb) out of the circle. What is there stays there; nothing new comes."
                + (keepers.isEmpty || paper != nil ? "" : earlierNote)
        }
    }

    private static let earlierNote =
        "\nIt was a keeper. If it became one before this device did, who has it can undo this: then"
        + " run the same with --recovery."

    /// Replaces the recovery key, and shows the new one.
    @Sendable static func recovery(_ run: borrowing SyncRun) throws(CommandFailure) {
        let paper = try paper(run)
        let lock = try run.lock()
        var device = try run.device()
        let relay = try run.relay(of: &device)
        let (text, hadOne) = try CommandFailure.wrapping { () throws(SyncFailure) in
            let hadOne = try device.status()?.hasRecoveryKey ?? false
            let key = try freshRecoveryKey()
            try device.replaceRecoveryKey(try publicKeys(of: key), with: paper, through: relay)
            return (try spelled(key), hadOne)
        }
        var page = Page()
        page.append(text.secret.duplicate())
        page.append(raw: "\n")
        try run.context.print(page)
        try run.context.note("note: write it down; it is shown once, and no earlier one is valid")
        if paper == nil {
            try run.context.note(
                hadOne
                    ? "note: who has the earlier one can undo this; to prevent that, run the same"
                        + " with --recovery and type it"
                    : "note: it comes before all keepers from now on only: whoever has the keys of"
                        + " this device can go back before it. A circle that is founded with one"
                        + " has no such gap"
            )
        }
        extend(lock)
    }

    /// Leaves the circle.
    @Sendable static func leave(_ run: borrowing SyncRun) throws(CommandFailure) {
        let lock = try run.lock()
        var device = try run.device()
        if run.arguments.has(.force) {
            try CommandFailure.wrapping { () throws(SyncFailure) in try device.leaveSilently() }
        } else {
            let relay = try run.relay(of: &device)
            try CommandFailure.wrapping { () throws(SyncFailure) in
                try device.leave(through: relay)
            }
        }
        try run.context.print(line: "This device left the circle. Its items stay.")
        extend(lock)
    }

    /// Turns synchronization on or off on this device.
    static func setOn(_ isOn: Bool, _ run: borrowing SyncRun) throws(CommandFailure) {
        let lock = try run.lock()
        var device = try run.device()
        try CommandFailure.wrapping { () throws(SyncFailure) in try device.setOn(isOn) }
        let words = isOn ? "Synchronization is on." : "Synchronization is off. Items stay local."
        try run.context.print(line: words)
        extend(lock)
    }

    private static func changing(
        _ run: borrowing SyncRun,
        _ body: (inout SyncDevice, any Relay) throws(SyncFailure) -> String
    ) throws(CommandFailure) {
        let lock = try run.lock()
        var device = try run.device()
        let relay = try run.relay(of: &device)
        let words = try CommandFailure.wrapping { () throws(SyncFailure) in
            try body(&device, relay)
        }
        for line in words.split(separator: "\n") { try run.context.print(line: String(line)) }
        extend(lock)
    }

    /// Extends a lock's lifetime to this point.
    private static func extend(_ lock: borrowing SyncLock) {}
}
