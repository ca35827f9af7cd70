import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import SyncRelay

/// A device's place in an account; its account's mutex guards it.
final class SyncSeat {
    /// The access group of the keys that a device synchronizes with.
    private static let accessGroup = "keychain.synchronization"

    private let clock: SimulatedClock
    /// The age of the device less that of the account.
    private let offset: Duration
    private var device: SyncDevice
    private var relay: MemoryRelay?
    /// What the device shows while it waits to be approved.
    private var fingerprint: SyncCode?
    var network = SimulatedNetwork() { didSet { carryNetwork() } }

    init(_ device: SimulatedDevice, at now: Duration) {
        let clock = device.clock
        self.clock = clock
        offset = clock.age - now
        let caller = Caller(
            entitlements: Entitlements(keychainAccessGroups: [Self.accessGroup]),
            system: device.system,
            canPrompt: false
        )
        let endpoint = EngineEndpoint(engine: device.engine, caller: caller, note: { _ in })
        self.device = SyncDevice(endpoint, now: { clock.date() })
    }

    var id: SyncSeatID { SyncSeatID(self) }

    /// How much time has passed since the account was made, as the device knows it.
    var elapsed: Duration { clock.age - offset }

    /// Makes the account's circle, or asks to join it.
    ///
    /// - Returns: The circle's code.
    func enter(
        _ code: SyncCode?,
        on server: MemoryRelayServer,
        number: Int
    ) throws(SyncFailure) -> SyncCode {
        let name = "device \(number + 1)"
        let known: SyncCode
        if let code {
            fingerprint = try device.requestToJoin(code, deviceName: name, relayName: "memory")
            known = code
        } else {
            // Nobody keeps paper of a simulated account.
            known = try device.create(deviceName: name, relayName: "memory", recovery: nil)
        }
        relay = try Self.relay(known, on: server)
        carryNetwork()
        return known
    }

    private static func relay(
        _ code: SyncCode,
        on server: MemoryRelayServer
    ) throws(SyncFailure) -> MemoryRelay {
        let account: AccountName
        do throws(SyncError) { account = try code.accountName() } catch { throw .format(error) }
        do throws(RelayError) { return try MemoryRelay(server, account) } catch {
            throw .relay(error)
        }
    }

    private func carryNetwork() {
        relay?.network.isOffline = network.isOffline
        relay?.network.delay = network.delay
    }

    /// Whether the device takes part; nil if that cannot be told, as while it is locked.
    var isOn: Bool? {
        get { try? device.membership()?.isOn }
        set { if let newValue { try? device.setOn(newValue) } }
    }

    /// Reads and writes what there is, if the device is unlocked and online.
    ///
    /// - Returns: Whether there was anything.
    func pass(approvedBy others: [SyncSeat]) -> Bool {
        guard let relay, let report = try? device.pass(through: relay) else { return false }
        guard report.isMember else { return approve(by: others) }
        fingerprint = nil
        return report.sentCount + report.receivedCount > 0
    }

    /// A person compares the fingerprint on a device that can approve it.
    private func approve(by others: [SyncSeat]) -> Bool {
        guard let fingerprint else { return false }
        return others.contains { $0 !== self && $0.approve(fingerprint) }
    }

    private func approve(_ fingerprint: SyncCode) -> Bool {
        guard let relay, self.fingerprint == nil else { return false }
        return (try? device.approve(fingerprint, keeper: true, through: relay)) != nil
    }

    /// Leaves the circle; without a word if the relay cannot be reached.
    func leave() {
        if let relay, (try? device.leave(through: relay)) != nil { return }
        try? device.leaveSilently()
    }
}
