public import KeychainModel
public import KeychainSimulator
public import XCTest

/// A base class for XCTest that gives every test a simulated device of its own.
///
/// ```swift
/// final class SigningInTests: DeviceTestCase {
///     func testStoresTheToken() throws {
///         try Vault().save("t0ken", in: token)
///         try TestDevice.current.device.lock()
///     }
/// }
/// ```
///
/// ``DeviceTrait`` describes which calls reach the device, and which are refused.
open class DeviceTestCase: XCTestCase {
    /// The passcode of the device, which a subclass chooses; nil makes a device without one.
    open var passcode: String? { "0000" }
    /// The system of the device, which a subclass chooses.
    open var system: SystemProfile { .iOS(26) }
    /// The app that makes the test's calls, which a subclass chooses.
    open var app: SimulatedApp.Manifest { .init(bundleIdentifier: "com.example.app") }

    /// Makes the device, and runs the test with its set-up and its tear-down on it.
    open override func invokeTest() {
        do {
            let options = DeviceOptions(passcode: passcode, system: system, manifest: app)
            try TestDevice(options).run { super.invokeTest() }
        } catch {
            XCTFail("\(error)")
        }
    }
}
