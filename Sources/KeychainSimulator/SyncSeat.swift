import KeychainEngine
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import SyncRelay

/// A device's place in an account, guarded by the account's mutex.
final class SyncSeat {
    /// The access group of the device's synchronization keys.
    private static let accessGroup = "keychain.synchronization"

    private let clock: SimulatedClock
    /// The device's age minus the account's age.
    private let offset: Duration
    private var device: SyncDevice
    private var relay: MemoryRelay?
    /// The fingerprint that the device shows while it waits for approval.
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

    /// The time since the account was made, on the device's clock.
    var elapsed: Duration { clock.age - offset }

    /// Founds the account's circle, or applies to join it.
    ///
    /// - Returns: The code of the circle.
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
            // A simulated account has no paper for a recovery key.
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

    /// Whether the device takes part; nil if that is unknown, for example while it is locked.
    var isOn: Bool? {
        get { try? device.membership()?.isOn }
        set { if let newValue { try? device.setOn(newValue) } }
    }

    /// Reads and writes changes, if the device is unlocked and online.
    ///
    /// - Returns: Whether there were any changes.
    func pass(approvedBy others: [SyncSeat]) -> Bool {
        guard let relay, let report = try? device.pass(through: relay) else { return false }
        guard report.isMember else { return approve(by: others) }
        fingerprint = nil
        return report.sentCount + report.receivedCount > 0
    }

    /// Approves the device on another one, as a person does who compares the fingerprints.
    private func approve(by others: [SyncSeat]) -> Bool {
        guard let fingerprint else { return false }
        return others.contains { $0 !== self && $0.approve(fingerprint) }
    }

    private func approve(_ fingerprint: SyncCode) -> Bool {
        guard let relay, self.fingerprint == nil else { return false }
        return (try? device.approve(fingerprint, keeper: true, through: relay)) != nil
    }

    /// Leaves the circle; does so silently if the relay is unreachable.
    func leave() {
        if let relay, (try? device.leave(through: relay)) != nil { return }
        try? device.leaveSilently()
    }
}
