import JSON
import KeychainCommand
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import SyncRelay

/// Returns a number with its noun: `1 item`, `2 items`.
func counted(_ count: Int, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

/// Returns a device's name for display, or `(no name)` if it is empty.
func shown(_ deviceName: String) -> String { deviceName.isEmpty ? "(no name)" : deviceName }

/// The verb `sync status`, which shows the circle and this device's place in it.
enum SyncStatusReport {
    @Sendable static func run(_ run: borrowing SyncRun) throws(CommandFailure) {
        var device = try run.device()
        let status = try CommandFailure.wrapping { () throws(SyncFailure) in
            try device.status()
        }
        guard var status else {
            guard run.arguments.has(.json) else {
                return try run.context.print(line: "This keychain is in no circle.")
            }
            return try run.context.print(JSONValue.object(["phase": .text("none")]).page)
        }
        let pending = look(run, &device, &status)
        try run.context.print(
            run.arguments.has(.json) ? json(status, pending).page : page(status, pending)
        )
    }

    /// Reads the faults of the relay's links, and the devices that ask to join.
    ///
    /// - Returns: The devices; nil if the relay is unreachable.
    private static func look(
        _ run: borrowing SyncRun,
        _ device: inout SyncDevice,
        _ status: inout SyncStatus
    ) -> [PendingRequest]? {
        guard status.membership.phase == .member else { return [] }
        do throws(CommandFailure) {
            let relay = try run.relay(of: &device)
            var asking = device
            return try CommandFailure.wrapping { () throws(SyncFailure) in
                status.linkFaults = try asking.linkFaults(through: relay)
                return try asking.requests(through: relay)
            }
        } catch { return nil }
    }

    /// Returns the state of this device in a few words.
    private static func state(_ status: SyncStatus) -> String {
        switch status.membership.phase {
        case .requested: return "asks to join; approve \(status.fingerprint.text)"
        case .removed: return "removed by another device"
        case .member: break
        }
        let items = counted(status.itemCount, "item")
        guard status.membership.isOn else { return "off, \(items)" }
        let waiting = status.unpublishedCount + status.outboxCount
        return waiting == 0
            ? "in step, \(items)" : "\(counted(waiting, "change")) to send, \(items)"
    }

    private static func page(_ status: SyncStatus, _ pending: [PendingRequest]?) -> Page {
        var page = TextTable.page([
            ["circle", status.membership.code.text],
            [
                "chain",
                status.head.map { "\($0.text), \(counted(status.linkCount, "link"))" } ?? "-",
            ],
            ["relay", status.membership.relayName],
            ["device", status.membership.deviceName], ["state", state(status)],
        ])
        if !status.devices.isEmpty {
            page.append(line: "")
            page.append(
                TextTable.page(
                    [["DEVICE", "FINGERPRINT", "ENTRIES", "KEEPER"]]
                        + status.devices.map {
                            [
                                shown($0.deviceName) + ($0.isThisDevice ? " (this one)" : ""),
                                $0.fingerprint.text, String($0.entryCount),
                                $0.isKeeper ? "yes" : "",
                            ]
                        }
                )
            )
        }
        for device in status.devices where device.isForked {
            page.append(
                line:
                    "Two devices read different entries of \(shown(device.deviceName)): its"
                    + " keychain was put back or copied, or a device lies."
            )
        }
        for device in status.copied {
            page.append(
                line: "Somebody has a copy of \(device.fingerprint.text): it signed two different"
                    + " links. Remove it."
            )
        }
        if !status.hasRecoveryKey && !status.devices.isEmpty {
            page.append(line: "The circle has no recovery key: make one with sync recovery.")
        }
        for (link, fault) in status.linkFaults {
            page.append(line: "link \(SyncCode(link).text) does not count: \(fault.words)")
        }
        for (place, fault) in status.entryFaults {
            let device = place.stream.device.fingerprint.text
            page.append(line: "entry \(place.number) of \(device) does not count: \(fault.words)")
        }
        // The fingerprint is omitted, because the user has to read it on the device itself.
        for request in pending ?? [] {
            page.append(
                line:
                    "\(shown(request.deviceName)) asks to join: sync approve the fingerprint it"
                    + " shows"
            )
        }
        if pending == nil { page.append(line: "The relay cannot be reached now.") }
        return page
    }

    static func json(_ status: SyncStatus, _ pending: [PendingRequest]?) -> JSONValue {
        .object([
            "phase": .text(phase(status.membership.phase)),
            "circle": .text(status.membership.code.text),
            "relay": .text(status.membership.relayName),
            "device": .text(status.membership.deviceName),
            "fingerprint": .text(status.fingerprint.text),
            "isOn": .flag(status.membership.isOn),
            "items": .number(Int64(status.itemCount)),
            "unpublished": .number(Int64(status.unpublishedCount)),
            "outbox": .number(Int64(status.outboxCount)),
            "devices": .list(
                status.devices.map {
                    .object([
                        "name": .text($0.deviceName),
                        "fingerprint": .text($0.fingerprint.text),
                        "entries": .number(Int64(clamping: $0.entryCount)),
                        "isThisDevice": .flag($0.isThisDevice),
                        "isForked": .flag($0.isForked),
                        "isKeeper": .flag($0.isKeeper),
                        "isLeaving": .flag($0.isLeaving),
                    ])
                }
            ),
            "head": status.head.map { .text($0.text) } ?? .null,
            "links": .number(Int64(status.linkCount)),
            "hasRecoveryKey": .flag(status.hasRecoveryKey),
            "copied": .list(status.copied.map { .text($0.fingerprint.text) }),
            "ignoredLinks": .list(
                status.linkFaults.map {
                    .object([
                        "link": .text($0.link.hexadecimal), "reason": .text($0.fault.code),
                        "words": .text($0.fault.words),
                    ])
                }
            ),
            "ignoredEntries": .list(
                status.entryFaults.map {
                    .object([
                        "stream": .text($0.place.stream.hexadecimal),
                        "entry": .number(Int64(clamping: $0.place.number)),
                        "reason": .text($0.fault.code), "words": .text($0.fault.words),
                    ])
                }
            ),
            "requests": pending.map { pending in
                .list(
                    pending.map {
                        .object(["name": .text($0.deviceName)])
                    }
                )
            } ?? .null,
        ])
    }

    private static func phase(_ phase: Membership.Phase) -> String {
        switch phase {
        case .requested: "requested"
        case .member: "member"
        case .removed: "removed"
        }
    }
}
