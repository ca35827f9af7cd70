import Glibc
import JSON
import KeychainCommand
import KeychainHost
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import SyncRelay

/// The verbs that exchange changes.
enum SyncExchange {
    /// The interval at which `run` checks for changes in the keychain.
    private static let glance = Duration.milliseconds(100)
    /// The pause while the keychain is locked or the relay is unreachable.
    private static let patience = Duration.seconds(1)

    /// Exchanges all changes, and ends.
    @Sendable static func once(_ run: borrowing SyncRun) throws(CommandFailure) {
        let lock = try run.lock()
        var device = try run.device()
        let relay = try run.relay(of: &device)
        let (report, isNew) = try CommandFailure.wrapping { () throws(SyncFailure) in
            let phase = try device.membership()?.phase
            let report = try device.pass(through: relay)
            return (report, phase == .requested && report.isOn && report.isMember)
        }
        var text = isNew ? Page(line: "This device is in the circle.") : Page()
        text.append(page(report))
        try run.context.print(run.arguments.has(.json) ? json(report) : text)
        extend(lock)
        guard !report.faults.values.contains(where: \.isDamage) else {
            throw .unmet("a stream ends in an entry that is wrong")
        }
        guard !report.isForked else {
            throw .unmet("two devices read different entries: sync status names the device")
        }
    }

    /// Exchanges changes as they occur, until the command is stopped.
    ///
    /// Prints a line after each exchange, and whenever the obstacle to exchanges changes.
    @Sendable static func run(_ run: borrowing SyncRun) throws(CommandFailure) {
        var device = try run.device()
        var obstacle = ""
        guard let relay = try openRelay(run, &device, &obstacle) else { return }
        var seen: UInt64?
        while run.context.terminal.outputIsRead {
            let failure: SyncFailure?
            do throws(SyncFailure) {
                try exchange(&device, relay, run, &seen, &obstacle)
                failure = nil
            } catch { failure = error }
            guard let failure else { continue }
            try wait(for: try waitable(failure, run), run, &obstacle)
            seen = nil
        }
    }

    /// Returns the relay of the circle, as soon as the keychain is readable.
    ///
    /// - Returns: The relay; nil if the reader of standard output has gone.
    private static func openRelay(
        _ run: borrowing SyncRun,
        _ device: inout SyncDevice,
        _ obstacle: inout String
    ) throws(CommandFailure) -> (any Relay)? {
        while run.context.terminal.outputIsRead {
            do throws(CommandFailure) { return try run.relay(of: &device) } catch {
                guard case .keychain(let reason) = error,
                    let words = try waitable(reason, run)
                else { throw error }
                try wait(for: words, run, &obstacle)
            }
        }
        return nil
    }

    /// Prints the obstacle, unless it was printed last, and pauses.
    private static func wait(
        for words: String,
        _ run: borrowing SyncRun,
        _ obstacle: inout String
    ) throws(CommandFailure) {
        if words != obstacle { try run.context.print(line: words) }
        obstacle = words
        sleep(patience)
    }

    /// Waits briefly for a change in the keychain or on the relay, and exchanges changes.
    private static func exchange(
        _ device: inout SyncDevice,
        _ relay: some Relay,
        _ run: borrowing SyncRun,
        _ seen: inout UInt64?,
        _ obstacle: inout String
    ) throws(SyncFailure) {
        try device.forgetIfLocked()
        let mark = try device.mark()
        if seen == mark {
            guard try relayChanged(relay) else { return }
        }
        let report = try pass(&device, relay, run)
        // An item that is added during this exchange is noticed the next time.
        seen = report.isMember && report.isOn ? report.mark : mark
        let hindrance = hindrance(report) ?? ""
        if hindrance != obstacle {
            try show(Page(line: hindrance.isEmpty ? "goes on" : hindrance), run)
        }
        obstacle = hindrance
        // Neither the relay nor an item reports that synchronization is on again.
        if !report.isOn {
            seen = nil
            sleep(patience)
        }
        if report.sentCount + report.receivedCount > 0 || !report.notices.isEmpty {
            try show(page(report), run)
        }
    }

    private static func relayChanged(_ relay: some Relay) throws(SyncFailure) -> Bool {
        do throws(RelayError) { return try relay.waitForChange(upTo: glance) } catch {
            throw .relay(error)
        }
    }

    private static func pass(
        _ device: inout SyncDevice,
        _ relay: some Relay,
        _ run: borrowing SyncRun
    ) throws(SyncFailure) -> SyncReport {
        let lock: SyncLock
        do throws(CommandFailure) { lock = try run.lock() } catch {
            throw .damagedState("\(error)")
        }
        let report = try device.pass(through: relay)
        extend(lock)
        return report
    }

    /// Returns the obstacle for which `run` waits; rethrows other failures.
    private static func waitable(
        _ failure: SyncFailure,
        _ run: borrowing SyncRun
    ) throws(CommandFailure) -> String {
        switch failure {
        case .keychain(let error):
            if let words = try waitable(error, run) { return words }
        case .relay(.unreachable(let reason)): return "waits for the relay: \(reason)"
        default: break
        }
        throw CommandFailure(failure)
    }

    /// Returns the obstacle if the keychain is locked or its daemon restarts; nil for other errors.
    private static func waitable(
        _ error: KeychainError,
        _ run: borrowing SyncRun
    ) throws(CommandFailure) -> String? {
        switch error.status {
        case .interactionNotAllowed: locked
        case .notAvailable where try run.context.connected() is DaemonEndpoint:
            "waits for the keychain daemon"
        default: nil
        }
    }

    private static func show(_ page: Page, _ run: borrowing SyncRun) throws(SyncFailure) {
        do throws(CommandFailure) { try run.context.print(page) } catch {
            throw .damagedState("\(error)")
        }
    }

    private static func sleep(_ duration: Duration) {
        var time = timespec()
        time.tv_sec = Int(duration.components.seconds)
        nanosleep(&time, nil)
    }

    /// Extends a lock's lifetime to this point.
    private static func extend(_ lock: borrowing SyncLock) {}

    // The messages of the command.

    private static let locked = "waits until the keychain is unlocked"

    /// Returns the reason why nothing was exchanged; nil if there is none.
    private static func hindrance(_ report: SyncReport) -> String? {
        guard report.isOn else { return "synchronization is off on this device: sync on" }
        return report.isMember ? nil : "waits until a keeper of the circle approves this one"
    }

    private static func page(_ report: SyncReport) -> Page {
        if let hindrance = hindrance(report) { return Page(line: hindrance) }
        var page = Page(line: "sent \(report.sentCount), received \(report.receivedCount)")
        if report.tooLargeCount > 0 {
            page.append(line: "\(counted(report.tooLargeCount, "item")) too large for the relay")
        }
        if let reason = report.owedLink {
            page.append(
                line: "a link that this device owes the circle cannot be made: \(reason.words)"
            )
        }
        for (place, fault) in ordered(report.faults) {
            page.append(line: "entry \(place.number) of \(short(place.stream)): \(fault.words)")
        }
        for notice in report.notices { page.append(line: words(notice)) }
        return page
    }

    private static func ordered(
        _ faults: [EntryPlace: EntryFault]
    ) -> [(key: EntryPlace, value: EntryFault)] {
        faults.sorted { ($0.key.stream, $0.key.number) < ($1.key.stream, $1.key.number) }
    }

    /// Returns the fingerprint of a stream's device, which is shorter than the stream's 80 digits.
    private static func short(_ stream: StreamName) -> String { stream.device.fingerprint.text }

    private static func words(_ notice: SyncNotice) -> String {
        switch notice {
        case .removed: "this device was removed from the circle"
        case .forked(let place, _):
            "two devices read different entries \(place.number) of \(short(place.stream)):"
                + " its keychain was put back or copied, or a device lies"
        case .rolledBack(let stream, let known, let listed):
            "the stream of \(short(stream)) had \(known) entries and has \(listed)"
        case .withheld(let stream, let claimed, let listed):
            "the stream of \(short(stream)) has \(listed) of \(claimed) entries so far"
        case .restored:
            "this keychain was put back to an earlier state, or somebody else wrote into its"
                + " stream; it caught up in another stream"
        case .clockWasAhead:
            "this device's clock was ahead, so that others let its changes wait; it tells them"
                + " again in another stream, dated now"
        case .copied(let device):
            "somebody has a copy of \(device.fingerprint.text): it signed two different links"
        case .dropped:
            "an earlier keeper changed the circle at the same time; what this device said there"
                + " is said again"
        }
    }

    private static func json(_ report: SyncReport) -> Page {
        JSONValue.object([
            "isMember": .flag(report.isMember),
            "sent": .number(Int64(report.sentCount)),
            "received": .number(Int64(report.receivedCount)),
            "tooLarge": .number(Int64(report.tooLargeCount)),
            "faults": .list(
                ordered(report.faults).map {
                    .object([
                        "stream": .text($0.key.stream.hexadecimal),
                        "entry": .number(Int64(clamping: $0.key.number)),
                        "reason": .text($0.value.code), "words": .text($0.value.words),
                    ])
                }
            ),
            "owedLink": report.owedLink.map { .text($0.words) } ?? .null,
            "foreignLinks": .number(Int64(report.foreignLinkCount)),
            "notices": .list(report.notices.map { .text(words($0)) }),
        ]).page
    }
}
