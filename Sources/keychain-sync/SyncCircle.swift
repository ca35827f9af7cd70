import Cryptography
import KeychainCommand
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import Secrets
import SyncRelay

/// The verbs that change who is in a circle.
enum SyncCircle {
    /// Founds a circle.
    @Sendable static func create(_ run: borrowing SyncRun) throws(CommandFailure) {
        guard let address = try run.namedRelay() else {
            throw .usage("name a relay: --relay ~/Sync/keychain")
        }
        let lock = try run.lock()
        var device = try run.device()
        let name = run.deviceName
        // A relay that refuses or is not there leaves no circle behind.
        _ = try run.open(address, .zeros, prepares: true)
        // Nobody knows this recovery key: sync recovery makes the first that somebody does.
        let code = try CommandFailure.wrapping { () throws(SyncFailure) in
            try device.create(
                deviceName: name,
                relayName: address.text,
                recovery: try freshRecoveryKey()
            )
        }
        var page = TextTable.page([
            ["circle", code.text], ["relay", address.text], ["device", name],
        ])
        page.append(
            line: "Other devices join with: keychainctl sync join \(code.text) --relay RELAY"
        )
        page.append(line: "Write down a recovery key: keychainctl sync recovery")
        try run.context.print(page)
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
            page.append(line: "On a device of the circle, run: \(command)")
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

    /// Whether the relay has no stream but that of this device.
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
        try changing(run) { device, relay throws(SyncFailure) in
            do throws(SyncFailure) {
                return "\(try device.approve(fingerprint, through: relay)) is in the circle."
            } catch {
                guard case .noSuchRequest = error,
                    let member = try device.status()?.devices
                        .first(where: { $0.fingerprint == fingerprint })
                else { throw error }
                return "\(member.deviceName) is in the circle already."
            }
        }
    }

    /// Takes a device out.
    @Sendable static func remove(_ run: borrowing SyncRun) throws(CommandFailure) {
        let name = run.operand
        try changing(run) { device, relay throws(SyncFailure) in
            let before = try device.status()?.devices ?? []
            let removed = try device.remove(name, through: relay)
            let left = try device.status()?.devices ?? []
            let gone = before.first { device in !left.contains { $0.peer == device.peer } }
            return "\(removed) is out of the circle. It keeps what it has, and gets nothing new."
                + (gone.flatMap { returnNote($0, left) } ?? "")
        }
    }

    /// A device that is higher than this one can take its removal back: where that is not so.
    private static func returnNote(_ gone: CircleDevice, _ left: [CircleDevice]) -> String? {
        guard let own = left.first(where: \.isThisDevice), own.rank >= gone.rank else { return nil }
        let higher = left.filter { $0.rank < gone.rank }.map(\.deviceName)
        let cure =
            higher.isEmpty
            ? "found a new circle" : "run the same also on \(higher.joined(separator: " or "))"
        return "\nIt is higher in the circle than this device: who has it can take that back. If it"
            + " is in other hands, \(cure)."
    }

    /// Replaces the recovery key, and shows the new one.
    @Sendable static func recovery(_ run: borrowing SyncRun) throws(CommandFailure) {
        let lock = try run.lock()
        var device = try run.device()
        let relay = try run.relay(of: &device)
        let text = try CommandFailure.wrapping { () throws(SyncFailure) in
            let key = try freshRecoveryKey()
            try device.replaceRecoveryKey(key, through: relay)
            do throws(SyncError) { return SharedSecret(try key.text()) } catch {
                throw .format(error)
            }
        }
        var page = Page()
        page.append(text.secret.duplicate())
        page.append(raw: "\n")
        try run.context.print(page)
        try run.context.note("note: write it down; it is shown once, and no earlier one is valid")
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

    /// Switches synchronization on or off on this device.
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
        try run.context.print(line: words)
        extend(lock)
    }

    /// Keeps a lock to this point.
    private static func extend(_ lock: borrowing SyncLock) {}
}
