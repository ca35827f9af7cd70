import Cryptography
import DataProtection
public import Foundation
import KeychainEngine
import KeychainHost
public import KeychainModel
import Secrets
import Synchronization

/// A system's platform and version, such as `.iOS(26)`, `.macOS(26)` or `.iOSSimulator`.
///
/// ```swift
/// let watch = try SimulatedDevice(system: .watchOS(26))
/// ```
public typealias SystemProfile = KeychainModel.SystemProfile
/// The outcomes that apply where Apple's documentation and source disagree.
///
/// ```swift
/// var behavior = BehaviorProfile.documented
/// behavior.missingOperator = .and
/// let phone = try SimulatedDevice(behavior: behavior)
/// ```
public typealias BehaviorProfile = KeychainModel.BehaviorProfile
/// A remark about a call to the keychain, for example about a common mistake.
///
/// ```swift
/// // An item without an accessibility:
/// #expect(phone.findings.contains { $0.rule == "missing-accessible" })
/// ```
public typealias Finding = KeychainModel.Finding

/// A phone for tests: a keychain on a device that locks, restarts and loses its passcode.
///
/// Devices share nothing, so tests can run in parallel. Only ``advance(by:)`` and a
/// ``secureElementLatency`` move a device's virtual time.
///
/// ```swift
/// let phone = try SimulatedDevice()
/// let app = phone.install(.init(bundleIdentifier: "com.example.app"))
/// phone.lock()
/// let status = app.run(.background) { SecItemCopyMatching(query, nil) }
/// ```
public final class SimulatedDevice: Sendable {
    /// The kind of biometry that a device has.
    ///
    /// ```swift
    /// let phone = try SimulatedDevice(biometry: .touchID)
    /// ```
    public enum Biometry: Sendable, Hashable {
        /// No biometry; the owner uses the passcode.
        case none
        /// Recognition of fingers.
        case touchID
        /// Recognition of a face.
        case faceID
    }

    /// The lock state of a device.
    ///
    /// ```swift
    /// phone.reboot()
    /// #expect(phone.state == .beforeFirstUnlock)
    /// ```
    public enum State: Sendable, Hashable {
        /// The owner has not unlocked the device since it started.
        case beforeFirstUnlock
        /// The device is locked, and was unlocked at least once since it started.
        case locked
        /// The device is in use, or it has no passcode.
        case unlocked
    }

    /// The device's kind of biometry.
    public let biometry: Biometry
    /// The system that the device simulates.
    public let system: SystemProfile
    /// The outcomes that apply where Apple's documentation and source disagree.
    public let behavior: BehaviorProfile

    let engine: Engine
    let clock: SimulatedClock
    let log = DiagnosticLog()
    let installations: AppInstallations
    private let notifications = ProtectedDataNotifications()
    let screen = PromptScreen()
    let autoFill = AutoFillState()
    let lastLaunch = Mutex<AppLaunch?>(nil)
    let seat = Mutex<DeviceSeat?>(nil)
    let scene: DeviceScene
    /// The device's state on a system that enforces no lock state; otherwise nil.
    private let unenforced: Mutex<UnenforcedDevice?>
    private let outbox: AnnouncementOutbox

    /// Creates an unlocked device, with its owner enrolled as "owner".
    ///
    /// - Parameters:
    ///   - passcode: The passcode. A device with nil has none and is always unlocked.
    ///   - biometry: The kind of biometry. tvOS and watchOS ignore it and have none.
    ///   - system: The platform and version to simulate.
    ///   - behavior: The outcomes where Apple's documentation and source disagree.
    ///   - directory: The folder for the device's files; nil keeps the device in memory. If the
    ///     folder contains a device, the call starts that device and unlocks it with the passcode.
    ///     It stays locked while earlier wrong passcodes require a delay.
    /// - Throws: ``SimulatorError`` if the directory cannot be used or the passcode is wrong.
    public init(
        passcode: String? = "0000",
        biometry: Biometry = .faceID,
        system: SystemProfile = .iOS(26),
        behavior: BehaviorProfile = .documented,
        directory: URL? = nil
    ) throws {
        StrayCalls.refuse()
        let biometry = system.canHaveBiometry ? biometry : .none
        self.biometry = biometry
        self.system = system
        self.behavior = behavior
        clock = SimulatedClock(birthday: Date().timeIntervalSinceReferenceDate)
        installations = try AppInstallations(in: directory)
        scene = DeviceScene(
            biometry: biometry,
            person: SimulatedUser(biometric: "owner", passcode: passcode),
            place: Place(isProtected: system.hasStolenDeviceProtection)
        )
        let enforces = system.enforcesLockState
        unenforced = Mutex(
            enforces ? nil : UnenforcedDevice(passcode: passcode, at: clock.instant())
        )
        outbox = AnnouncementOutbox()
        let real = enforces ? passcode : Self.unenforcedPasscode
        do throws(KeychainError) {
            engine = try DeviceFactory(
                passcode: real,
                profiles: Profiles(system: system, behavior: behavior),
                directory: directory,
                clock: clock,
                log: log,
                outbox: outbox,
                scene: scene
            ).makeEngine()
            if biometry != .none, try engine.isEnrolmentUntouched() {
                try engine.enroll(Array("owner".utf8))
            }
            // While wrong passcodes require a delay, the device stays as it started.
            if let real, try engine.passcodeDelay() == .zero {
                try engine.unlock(passcode: Self.secret(real))
            }
        } catch {
            throw SimulatorError(error)
        }
        // No observer can be registered with a device that is still being made.
        _ = outbox.takeAll()
    }

    deinit {
        Self.callCarrier?.forget(engine)
        if let taken = takeSeat() { taken.account.forget(taken.id) }
    }

    /// A passcode for a system that enforces none, so that the keys are always available.
    private static let unenforcedPasscode = "not enforced"

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }
}

// The state.
extension SimulatedDevice {
    /// The lock state of the device.
    public var state: State {
        if let unenforced = unenforced.withLock({ $0?.state.lockState }) {
            return State(unenforced)
        }
        return attempt { engine throws(KeychainError) in State(try engine.lockState().state) }
            ?? .beforeFirstUnlock
    }

    /// Whether the keys of items that need an unlocked device are in memory.
    public var isProtectedDataAvailable: Bool {
        if let unenforced = unenforced.withLock({ $0?.state.isProtectedDataAvailable }) {
            return unenforced
        }
        return attempt { engine throws(KeychainError) in try engine.lockState().isAvailable }
            ?? false
    }

    /// The person in front of the device, who answers its prompts.
    ///
    /// ```swift
    /// phone.user = SimulatedUser(biometric: "stranger")
    /// ```
    public var user: SimulatedUser {
        get { scene.person.withLock { $0 } }
        set { scene.person.withLock { $0 = newValue } }
    }

    /// The remarks about the calls so far, oldest first.
    public var findings: [Finding] { log.all }

    /// Removes the findings so far.
    public func removeFindings() { log.removeAll() }

    /// The calls of this process that failed because they belong to no simulated device, oldest
    /// first.
    ///
    /// Once a process has made a device, a call outside of every app fails with
    /// `errSecNotAvailable` (-25291). Otherwise it would reach your own keychain. The library
    /// prints the first such call on standard error, and keeps the first thousand.
    public static var strayFindings: [Finding] { StrayCalls.findings }

    /// Removes the stray findings so far.
    public static func removeStrayFindings() { StrayCalls.removeFindings() }
}

// Operations of the device's owner.
extension SimulatedDevice {
    /// Locks the device and removes the keys of items that need an unlocked device from memory at
    /// once.
    public func lock() { lock(grace: .zero) }

    /// Locks the device; those keys stay in memory for `grace` of virtual time.
    public func lock(grace: Duration) {
        handleUnenforced(.lock(grace: grace))
        guard system.enforcesLockState else { return }
        attempt { engine throws(KeychainError) in try engine.lock(grace: grace) }
    }

    /// Unlocks the device with the passcode.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` for a wrong passcode, which the device
    ///   counts, and while earlier wrong passcodes require a delay.
    public func unlock(passcode: String) throws {
        guard system.enforcesLockState else { return try unlockUnenforced(passcode) }
        try perform { engine throws(KeychainError) in
            try engine.unlock(passcode: Self.secret(passcode))
        }
        followLockState()
    }

    /// Restarts the device.
    ///
    /// Until the next unlock, only items of the deprecated Always classes are readable, and the
    /// files and defaults of apps are out of reach. A device without a passcode is unlocked at
    /// once.
    public func reboot() {
        clock.reboot()
        handleUnenforced(.reboot)
        guard system.enforcesLockState else { return }
        attempt { engine throws(KeychainError) in try engine.reboot() }
        followLockState()
    }

    /// Advances virtual time; grace periods and passcode delays expire.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        handleUnenforced(.timePassed)
        attempt { engine throws(KeychainError) in try engine.timePassed() }
        account?.timePassed()
    }

    /// Sets or changes the passcode; every item remains.
    ///
    /// On `.iOSSimulator` the call does not check the current passcode.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` if the current passcode is missing or
    ///   wrong.
    public func setPasscode(_ new: String, current: String?) throws {
        if system.enforcesLockState {
            try perform { engine throws(KeychainError) in
                try engine.setPasscode(Self.secret(new), current: current.map(Self.secret))
            }
            followLockState()
        } else {
            setUnenforced(new, .passcodeSet)
        }
        // A person who knew the old passcode, or saw the first one, knows the new one.
        scene.person.withLock { if $0.passcode == current { $0.passcode = new } }
    }

    /// Removes the passcode and destroys every item that needs one.
    ///
    /// On `.iOSSimulator` the call does not check the current passcode and destroys nothing.
    ///
    /// - Throws: ``SimulatorError`` with `errSecAuthFailed` if the passcode is wrong or none is
    ///   set.
    public func removePasscode(current: String) throws {
        guard system.enforcesLockState else { return setUnenforced(nil, .passcodeRemoved) }
        try perform { engine throws(KeychainError) in
            try engine.removePasscode(current: Self.secret(current))
        }
        followLockState()
    }

    /// Resets the device to factory settings and destroys all keys, items, apps and their data.
    public func erase() {
        if let taken = takeSeat() { taken.account.forget(taken.id) }
        attempt { engine throws(KeychainError) in try engine.erase() }
        installations.removeAll()
        lastLaunch.withLock { $0 = nil }
    }
}

// Notifications of observers, which are sent without holding a lock.
extension SimulatedDevice {
    func perform<R>(
        _ body: (Engine) throws(KeychainError) -> R
    ) throws(SimulatorError) -> R {
        defer { deliver() }
        do throws(KeychainError) { return try body(engine) } catch { throw SimulatorError(error) }
    }

    /// Performs work of a call that cannot throw: a failure of the device's files becomes a
    /// finding.
    @discardableResult
    private func attempt<R>(_ body: (Engine) throws(KeychainError) -> R) -> R? {
        do throws(SimulatorError) {
            return try perform(body)
        } catch {
            log.note(
                Finding(
                    .refusal,
                    verb: .copyMatching,
                    item: "device",
                    status: SecurityStatus(rawValue: error.status),
                    detail: error.reason
                )
            )
            return nil
        }
    }

    func deliver() {
        for announcement in outbox.takeAll() { notifications.post(announcement, from: self) }
    }

    private func handleUnenforced(_ event: DeviceEvent) {
        let now = clock.instant()
        let announcements = unenforced.withLock { $0?.handle(event, at: now) ?? [] }
        for announcement in announcements { notifications.post(announcement, from: self) }
    }

    private func unlockUnenforced(_ passcode: String) throws {
        guard unenforced.withLock({ $0?.passcode == passcode }) else {
            throw SimulatorError(KeychainError(.authFailed, "wrong passcode"))
        }
        handleUnenforced(.unlocked)
    }

    func unlockUnenforced() { handleUnenforced(.unlocked) }

    private func setUnenforced(_ passcode: String?, _ event: DeviceEvent) {
        unenforced.withLock { $0?.passcode = passcode }
        handleUnenforced(event)
    }
}

extension SimulatedDevice.State {
    init(_ state: LockState) {
        switch state {
        case .beforeFirstUnlock: self = .beforeFirstUnlock
        case .locked: self = .locked
        case .unlocked: self = .unlocked
        }
    }
}
