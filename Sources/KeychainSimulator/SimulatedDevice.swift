import Cryptography
import DataProtection
public import Foundation
import KeychainEngine
import KeychainHost
public import KeychainModel
import Secrets
import Synchronization

/// A system's platform and version, such as `.iOS(26)`, `.macOS(26)` or `.iOSSimulator`.
public typealias SystemProfile = KeychainModel.SystemProfile
/// Which outcome applies where Apple's documentation and source disagree.
public typealias BehaviorProfile = KeychainModel.BehaviorProfile
/// Something worth knowing about a call to the keychain.
public typealias Finding = KeychainModel.Finding

/// A phone to hold in a test: a keychain on a device that locks, reboots and loses its passcode.
///
/// Devices share nothing, so tests run in parallel. Time passes only through ``advance(by:)``.
/// - Source: Keychain access control guide; Migration guide; Keychain overview; Apple: Restricting
///   Keychain Item Accessibility; Biometric authentication; Item classes guide; Testing security
///   code.
public final class SimulatedDevice: Sendable {
    /// What the device recognizes its owner by.
    public enum Biometry: Sendable, Hashable {
        /// Nothing but the passcode.
        case none
        /// Fingers.
        case touchID
        /// A face.
        case faceID
    }

    /// Whether the passcode has to be entered.
    public enum State: Sendable, Hashable {
        /// Not unlocked since the device was switched on.
        case beforeFirstUnlock
        /// Locked after having been unlocked.
        case locked
        /// In use, or without a passcode.
        case unlocked
    }

    /// What the device recognizes its owner by.
    public let biometry: Biometry
    /// The system that the device behaves like.
    public let system: SystemProfile
    /// The outcomes that apply where documentation and source disagree.
    public let behavior: BehaviorProfile

    let engine: Engine
    let clock: SimulatedClock
    let log = DiagnosticLog()
    let installations: AppInstallations
    private let notifications = ProtectedDataNotifications()
    let screen = PromptScreen()
    let place: Mutex<Place>
    let lastLaunch = Mutex<AppLaunch?>(nil)
    private let person: Mutex<SimulatedUser>
    private let view = DeviceView()
    /// Present where the system enforces no lock state.
    private let loose: Mutex<LooseDevice?>
    private let outbox: AnnouncementOutbox

    /// Makes a device, unlocked, with its owner enrolled as "owner".
    ///
    /// - Parameters:
    ///   - passcode: nil for a device without one, which is always unlocked.
    ///   - biometry: what the device has; none on a system that knows none.
    ///   - system: the platform and version to behave like.
    ///   - behavior: the outcomes where documentation and source disagree.
    ///   - directory: where the device's files lie; one that already holds a device is switched on
    ///     and opened with the passcode, unless wrong ones before still demand a delay. nil: in
    ///     memory.
    /// - Throws: ``SimulatorError`` when the directory cannot be used or the passcode is wrong.
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
        person = Mutex(SimulatedUser(biometric: "owner", passcode: passcode))
        place = Mutex(Place(isProtected: system.hasStolenDeviceProtection))
        let enforces = system.enforcesLockState
        loose = Mutex(
            enforces ? nil : LooseDevice(passcode: passcode, at: clock.instant())
        )
        outbox = AnnouncementOutbox()
        let real = enforces ? passcode : Self.loosePasscode
        do throws(KeychainError) {
            engine = try DeviceFactory(
                passcode: real,
                profiles: Profiles(system: system, behavior: behavior),
                directory: directory,
                clock: clock,
                log: log,
                outbox: outbox,
                surroundings: { [view] in view.surroundings }
            ).makeEngine()
            if biometry != .none, try engine.isEnrolmentUntouched() {
                try engine.enroll(Array("owner".utf8))
            }
            // While wrong passcodes demand a delay, the device stays as it was switched on.
            if let real, try engine.passcodeDelay() == .zero {
                try engine.unlock(passcode: Self.secret(real))
            }
        } catch {
            throw SimulatorError(error)
        }
        // A device that is just being made has nobody to tell.
        _ = outbox.takeAll()
        view.device = self
    }

    /// Where nothing is enforced the keys are simply there.
    private static let loosePasscode = "not enforced"

    static func secret(_ text: String) -> SharedSecret {
        SharedSecret(Secret(copying: Array(text.utf8)))
    }
}

// State.
extension SimulatedDevice {
    /// Whether the passcode has to be entered.
    public var state: State {
        if let loose = loose.withLock({ $0?.state.lockState }) { return State(loose) }
        return attempt { engine throws(KeychainError) in State(try engine.lockState().state) }
            ?? .beforeFirstUnlock
    }

    /// Whether the keys of the classes for "while unlocked" are in memory.
    public var isProtectedDataAvailable: Bool {
        if let loose = loose.withLock({ $0?.state.isProtectedDataAvailable }) { return loose }
        return attempt { engine throws(KeychainError) in try engine.lockState().isAvailable }
            ?? false
    }

    /// Who stands in front of the device.
    public var user: SimulatedUser {
        get { person.withLock { $0 } }
        set { person.withLock { $0 = newValue } }
    }

    /// What was noticed about the calls so far, oldest first.
    public var findings: [Finding] { log.all }

    /// Forgets the findings so far.
    public func removeFindings() { log.removeAll() }

    /// The calls of this process that belonged to no simulated device and were refused, oldest
    /// first; the first thousand are kept.
    ///
    /// Once a process has made a device, a call outside of every app gives `errSecNotAvailable`
    /// (-25291): it would reach your own keychain. The first one is printed on standard error.
    public static var strayFindings: [Finding] { StrayCalls.findings }

    /// Forgets them.
    public static func removeStrayFindings() { StrayCalls.removeFindings() }
}

// What its owner does to it.
extension SimulatedDevice {
    /// Locks; the class keys for "while unlocked" leave at once.
    public func lock() { lock(grace: .zero) }

    /// Locks; the class keys leave after `grace` of virtual time.
    public func lock(grace: Duration) {
        handleLoosely(.lock(grace: grace))
        guard system.enforcesLockState else { return }
        attempt { engine throws(KeychainError) in try engine.lock(grace: grace) }
    }

    /// Unlocks with the passcode.
    ///
    /// - Throws: ``SimulatorError`` with -25293 for a wrong passcode, which is counted, and while
    ///   wrong ones before it still demand a delay.
    public func unlock(passcode: String) throws {
        guard system.enforcesLockState else { return try unlockLoosely(passcode) }
        try perform { engine throws(KeychainError) in
            try engine.unlock(passcode: Self.secret(passcode))
        }
    }

    /// Starts the device anew: nothing but the Always classes is open until it is unlocked.
    public func reboot() {
        clock.reboot()
        handleLoosely(.reboot)
        guard system.enforcesLockState else { return }
        attempt { engine throws(KeychainError) in try engine.reboot() }
    }

    /// Lets time pass: grace periods and passcode delays run out.
    public func advance(by duration: Duration) {
        clock.advance(by: duration)
        handleLoosely(.timePassed)
        attempt { engine throws(KeychainError) in try engine.timePassed() }
    }

    /// Sets or changes the passcode; every item stays.
    ///
    /// - Throws: ``SimulatorError`` with -25293 when the current passcode is missing or wrong.
    public func setPasscode(_ new: String, current: String?) throws {
        if system.enforcesLockState {
            try perform { engine throws(KeychainError) in
                try engine.setPasscode(Self.secret(new), current: current.map(Self.secret))
            }
        } else {
            setLoosely(new, .passcodeSet)
        }
        // Who knew the old one, or watched the first one being set, knows the new one.
        person.withLock { if $0.passcode == current { $0.passcode = new } }
    }

    /// Removes the passcode and destroys every item that needs one.
    ///
    /// - Throws: ``SimulatorError`` with -25293 when the passcode is wrong or none is set.
    public func removePasscode(current: String) throws {
        guard system.enforcesLockState else { return setLoosely(nil, .passcodeRemoved) }
        try perform { engine throws(KeychainError) in
            try engine.removePasscode(current: Self.secret(current))
        }
    }

    /// Factory reset: keys and items are gone for good; apps and their data too.
    public func erase() {
        attempt { engine throws(KeychainError) in try engine.erase() }
        installations.removeAll()
        lastLaunch.withLock { $0 = nil }
    }
}

// Telling whoever listens, once nothing is held.
extension SimulatedDevice {
    func perform<R>(
        _ body: (Engine) throws(KeychainError) -> R
    ) throws(SimulatorError) -> R {
        defer { deliver() }
        do throws(KeychainError) { return try body(engine) } catch { throw SimulatorError(error) }
    }

    /// For calls that have no error to return: a failure of the device's files is a finding.
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

    private func handleLoosely(_ event: DeviceEvent) {
        let now = clock.instant()
        let announcements = loose.withLock { $0?.handle(event, at: now) ?? [] }
        for announcement in announcements { notifications.post(announcement, from: self) }
    }

    private func unlockLoosely(_ passcode: String) throws {
        guard loose.withLock({ $0?.passcode == passcode }) else {
            throw SimulatorError(KeychainError(.authFailed, "wrong passcode"))
        }
        handleLoosely(.unlocked)
    }

    func unlockLoosely() { handleLoosely(.unlocked) }

    private func setLoosely(_ passcode: String?, _ event: DeviceEvent) {
        loose.withLock { $0?.passcode = passcode }
        handleLoosely(event)
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
