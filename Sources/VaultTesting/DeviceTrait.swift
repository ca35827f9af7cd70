public import KeychainModel
public import KeychainSimulator
public import Testing
import Vault

/// Gives every test a simulated device of its own, and refuses the real keychain.
///
/// ```swift
/// @Suite(.device()) struct `Signing in` {
///     @Test func `stores the token`() throws { … }   // each test has a new, unlocked device
/// }
/// ```
///
/// All keychain calls of the test and of its tasks go to the device. Dispatch queues and detached
/// tasks do not belong to the test, and their calls fail with `errSecNotAvailable` (-25291). They
/// never reach the keychain of the machine. If an environment variable requests the real keychain,
/// the test does not run and fails with ``TestDevice/Failure/realKeychainRequested``.
public struct DeviceTrait: TestTrait, SuiteTrait, TestScoping {
    let options: DeviceOptions

    /// Whether each test in a suite has its own device.
    public var isRecursive: Bool { true }

    /// Makes the device, and runs the test on it.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        try await TestDevice(options).run(function)
    }
}

extension Trait where Self == DeviceTrait {
    /// Gives each test a device of its own.
    ///
    /// - Parameters:
    ///   - passcode: the passcode; nil makes a device without one, which never locks.
    ///   - system: the system of the device.
    ///   - app: the app that makes the test's calls, with its access groups.
    /// - Returns: the trait.
    public static func device(
        passcode: String? = "0000",
        system: SystemProfile = .iOS(26),
        app: SimulatedApp.Manifest = .init(bundleIdentifier: "com.example.app")
    ) -> DeviceTrait {
        DeviceTrait(options: DeviceOptions(passcode: passcode, system: system, manifest: app))
    }
}
