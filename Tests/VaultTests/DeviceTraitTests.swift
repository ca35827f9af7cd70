import Foundation
import KeychainServices
import KeychainSimulator
import TestSupport
import Testing
import Vault
import XCTest

@testable import VaultTesting

@Suite(.device()) struct `The device trait` {
    /// Every case creates the item that all the others create, too.
    @Test(.requirement("VLT-07"), arguments: 1...3)
    func `gives each test a device of its own`(number: Int) throws {
        try Vault().create("\(number)", in: .token)
        #expect(try Vault().text(.token) == "\(number)")
        #expect(try TestDevice.current.device.state == .unlocked)
    }

    @Test(.requirement("VLT-07"))
    func `keeps two tests apart that run at the same time`() async throws {
        let test = try #require(Test.current)
        let changes = Vault().changes
        try Vault().save("outer", in: .token)
        try await DeviceTrait.device().provideScope(for: test, testCase: nil) {
            #expect(try Vault().text(.token) == nil)
            try Vault().save("inner", in: .token)
            try TestDevice.current.device.lock()
        }
        #expect(try TestDevice.current.device.state == .unlocked)
        #expect(try Vault().text(.token) == "outer")
        try Vault().delete(.token)
        var iterator = changes.makeAsyncIterator()
        let seen = [await iterator.next()?.event, await iterator.next()?.event]
        #expect(seen == [.saved, .deleted])
    }

    @Test func `goes along with the tasks of a test`() async throws {
        try Vault().save("t0ken", in: .token)
        async let child: String? = Vault().read(.token)
        let task = Task { try Vault().text(.token) }
        #expect(try await child == "t0ken")
        #expect(try await task.value == "t0ken")
    }

    @Test(.requirement("VLT-07")) func `refuses a call outside of the device`() async throws {
        let call = Task.detached { failure { try Vault().save("t0ken", in: .token) } }
        let error = await call.value
        #expect(error?.status == errSecNotAvailable)
        #expect(error?.reason == .unavailable)
    }

    @Test(.requirement("VLT-07"))
    func `refuses to run where the environment asks for the real keychain`() async throws {
        // In a process of its own, because the environment belongs to all tests.
        await #expect(processExitsWith: .success) {
            #expect(isRefused("KEYCHAIN_HOME"))
            #expect(isRefused("KEYCHAIN_SOCKET"))
            #expect(isRefused("KEYCHAIN_SIM"))
            #expect(throws: Never.self) { try TestDevice(DeviceTrait.device().options) }
        }
    }

    @Test(.device(passcode: nil, system: .macOS(26), app: .twoGroups))
    func `makes the device that a test describes`() throws {
        let phone = try TestDevice.current
        phone.device.lock()
        #expect(phone.device.state == .unlocked)
        #expect(phone.app.manifest == .twoGroups)
        try Vault(accessGroup: sharedGroup).save("t0ken", in: .token)
    }
}

/// Whether a test gets no device while a variable is set.
private func isRefused(_ variable: String) -> Bool {
    setenv(variable, "/nowhere", 1)
    defer { unsetenv(variable) }
    do {
        _ = try TestDevice(DeviceTrait.device().options)
        return false
    } catch {
        return error as? TestDevice.Failure == .realKeychainRequested
    }
}

@Suite struct `A test without a device` {
    @Test func `has none`() {
        #expect(throws: TestDevice.Failure.noDevice) { try TestDevice.current }
        #expect("\(TestDevice.Failure.noDevice)".contains(".device()"))
    }
}

/// What a test class of XCTest looks like.
///
/// A test below runs it; XCTest does not find it.
private final class SigningInTests: DeviceTestCase {
    nonisolated(unsafe) static var texts: [String?] = []

    override var passcode: String? { "1234" }

    override func setUp() {
        super.setUp()
        XCTAssertNoThrow(try Vault().save("from setUp", in: .pin))
    }

    func testWithADevice() throws {
        Self.texts.append(try Vault().text(.pin))
        Self.texts.append(try Vault().text(.token))
        try Vault().save("t0ken", in: .token)
        let device = try TestDevice.current.device
        device.lock()
        XCTAssertNil(try? Vault().text(.pin))
        try device.unlock(passcode: "1234")
    }
}

@Suite struct `The base class for XCTest` {
    @Test(.requirement("VLT-07")) func `gives each test a device of its own`() throws {
        let tests = (1...2).map { number in
            SigningInTests(name: "testWithADevice \(number)") { test in
                try (test as? SigningInTests)?.testWithADevice()
            }
        }
        let runs = tests.map { test in
            let run = XCTestCaseRun(test: test)
            test.perform(run)
            return run
        }
        #expect(runs.map(\.totalFailureCount) == [0, 0])
        #expect(SigningInTests.texts == ["from setUp", nil, "from setUp", nil])
    }
}
