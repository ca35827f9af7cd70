import KeychainHost
import KeychainModel
public import KeychainSimulator
import Vault

/// The simulated device of one test, with the app that makes the test's calls.
///
/// ```swift
/// @Test(.device()) func `a token is out of reach while the device is locked`() throws {
///     let phone = try TestDevice.current
///     try Vault().save("t0ken", in: token)
///     phone.device.lock()
///     #expect(try Vault().presence(of: token) == .outOfReach)
/// }
/// ```
public struct TestDevice: Sendable {
    /// The device, which you can lock, start again, back up and erase.
    public let device: SimulatedDevice
    /// The app whose calls the test makes.
    public let app: SimulatedApp

    @TaskLocal private static var running: TestDevice?

    /// The device of the running test.
    ///
    /// - Throws: ``Failure/noDevice`` outside of a test with a device.
    public static var current: TestDevice {
        get throws(Failure) {
            guard let running else { throw .noDevice }
            return running
        }
    }

    /// The reason why a test gets no device.
    public enum Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The test has no device: it needs `@Test(.device())`, or ``DeviceTestCase``.
        case noDevice
        /// The environment requests the real keychain, which a test with a device must not reach.
        case realKeychainRequested

        /// The failure, and advice.
        public var description: String {
            switch self {
            case .noDevice: "this test has no device: add .device() to its traits"
            case .realKeychainRequested:
                "a test with a device refuses the real keychain: unset KEYCHAIN_HOME, "
                    + "KEYCHAIN_SOCKET and KEYCHAIN_SIM"
            }
        }
    }

    /// Runs code on the device as the app, without an interface and so without prompts.
    public func inBackground<Result>(_ body: () throws -> Result) rethrows -> Result {
        try app.run(.background, body)
    }

    /// Returns another device that was restored from a backup of this one, with the same app.
    ///
    /// ```swift
    /// let new = try phone.restoredOnAnotherDevice()
    /// let token: String? = try new.app.run { try Vault().read(token) }
    /// ```
    public func restoredOnAnotherDevice() throws -> TestDevice {
        let other = try SimulatedDevice()
        let app = other.install(app.manifest)
        try device.migrate(to: other)
        return TestDevice(device: other, app: app)
    }
}

extension TestDevice {
    init(_ options: DeviceOptions) throws {
        guard !StrayCalls.asksForMachine(.current) else { throw Failure.realKeychainRequested }
        device = try SimulatedDevice(passcode: options.passcode, system: options.system)
        app = device.install(options.manifest)
    }

    /// Runs code as the app, whose changes only its own observers see.
    func run(_ body: @Sendable () async throws -> Void) async throws {
        try await Self.$running.withValue(self) {
            try await ChangeCenter.$override.withValue(ChangeCenter()) {
                try await app.run { try await body() }
            }
        }
    }

    func run(_ body: () -> Void) {
        Self.$running.withValue(self) {
            ChangeCenter.$override.withValue(ChangeCenter()) { app.run { body() } }
        }
    }
}

/// The options for the device of a test.
struct DeviceOptions: Sendable {
    var passcode: String?
    var system: SystemProfile
    var manifest: SimulatedApp.Manifest
}
