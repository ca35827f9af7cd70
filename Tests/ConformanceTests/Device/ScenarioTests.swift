import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// Where a scenario runs: the second passes where it should not.
enum ScenarioColumn: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case device, iOSSimulator

    var testDescription: String { rawValue }
    var system: SystemProfile { self == .device ? .iOS(26) : .iOSSimulator }

    /// What a device refuses, the iOS Simulator reads.
    func onDevice(_ reading: Reading) -> Reading { self == .device ? reading : .value }

    func makeDevice(passcode: String = "0000") throws -> SimulatedDevice {
        try SimulatedDevice(passcode: passcode, system: system)
    }
}

@Suite(.requirement("SIM-16")) struct `The scenarios that need a device` {
    @Test(.requirement("SIM-02", "ACC-20"), arguments: ScenarioColumn.allCases)
    func `one: a restart, then the first unlock`(column: ScenarioColumn) throws {
        let device = try column.makeDevice()
        let app = device.installExample()
        let token = Password(account: "token")
        app.run { _ = token.add(accessible: .afterFirstUnlock) }
        device.reboot()
        #expect(device.state == .beforeFirstUnlock)
        #expect(app.run(.background) { token.read() } == column.onDevice(.notAllowed))
        try device.unlock(passcode: "0000")
        device.lock()
        #expect(app.run(.background) { token.read() } == .value)
    }

    @Test(.requirement("SIM-03"), arguments: ScenarioColumn.allCases)
    func `two: a read right after locking`(column: ScenarioColumn) throws {
        let device = try column.makeDevice()
        let app = device.installExample()
        let secret = Password(account: "secret")
        app.run { _ = secret.add(accessible: .whenUnlocked) }
        device.lock()
        #expect(app.run { secret.read() } == column.onDevice(.notAllowed))
    }

    @Test(.requirement("SIM-04"), arguments: ScenarioColumn.allCases)
    func `three: the passcode is removed`(column: ScenarioColumn) throws {
        let device = try column.makeDevice()
        let app = device.installExample()
        let secret = Password(account: "secret")
        app.run { _ = secret.add(accessible: .whenPasscodeSetThisDeviceOnly) }
        #expect(app.run { secret.read() } == .value)
        try device.removePasscode(current: "0000")
        #expect(app.run { secret.read() } == column.onDevice(.notFound))
    }

    @Test(.requirement("SIM-05"), arguments: ScenarioColumn.allCases, [true, false])
    func `four: the enrolment changes`(column: ScenarioColumn, isDocumented: Bool) throws {
        let device = try SimulatedDevice(
            system: column.system,
            behavior: isDocumented ? .documented : .appleSource
        )
        let app = device.installExample()
        let secret = Password(account: "secret")
        let control = try #require(
            SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
                .biometryCurrentSet,
                nil
            )
        )
        app.run {
            #expect(secret.add(accessible: nil, [kSecAttrAccessControl: control]) == errSecSuccess)
        }
        #expect(app.run { secret.read() } == .value)
        try device.enroll("second face")
        let refusal = isDocumented ? Reading(errSecAuthFailed) : .notFound
        #expect(app.run { secret.read() } == column.onDevice(refusal))
    }

    @Test(
        .requirement("SIM-06"),
        arguments: ScenarioColumn.allCases,
        [
            String.whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly,
            .alwaysThisDeviceOnly, .whenPasscodeSetThisDeviceOnly,
        ]
    )
    func `five: a backup comes to another device`(column: ScenarioColumn, bound: String) throws {
        let device = try column.makeDevice()
        let moving = Password(account: "moving")
        let staying = Password(account: "staying")
        device.installExample().run {
            #expect(moving.add(accessible: .afterFirstUnlock) == errSecSuccess)
            #expect(staying.add(accessible: bound) == errSecSuccess)
        }
        let other = try column.makeDevice(passcode: "9876")
        try other.restore(device.backup(password: "tape"), password: "tape")
        other.installExample().run {
            #expect(moving.read() == .value)
            #expect(staying.read() == .notFound)
        }
    }

    @Test(.requirement("SIM-07"), arguments: ScenarioColumn.allCases)
    func `six: an extension works while the device is locked`(column: ScenarioColumn) throws {
        let device = try column.makeDevice()
        let shared = "TEAMID1234.com.example.shared"
        let host = device.install(
            .init(bundleIdentifier: "com.example.app", keychainAccessGroups: ["com.example.shared"])
        )
        let service = device.install(
            .init(
                bundleIdentifier: "com.example.app.notifications",
                keychainAccessGroups: ["com.example.shared"]
            )
        )
        let background = Password(account: "background", group: shared)
        let foreground = Password(account: "foreground", group: shared)
        host.run {
            #expect(background.add(accessible: .afterFirstUnlock) == errSecSuccess)
            #expect(foreground.add(accessible: .whenUnlocked) == errSecSuccess)
        }
        device.lock()
        service.run(.background) {
            #expect(background.read() == .value)
            #expect(background.update("renewed") == errSecSuccess)
            #expect(foreground.read() == column.onDevice(.notAllowed))
        }
        #expect(host.run { background.read() } == Reading(errSecSuccess, "renewed"))
    }
}

@Suite struct `A device in its states` {
    @Test func `is unlocked when it is new`() throws {
        let device = try SimulatedDevice()
        #expect(device.state == .unlocked)
        #expect(device.isProtectedDataAvailable)
        #expect(device.findings.isEmpty)
    }

    @Test(
        arguments: [SimulatedApp.Execution.foreground, .background],
        [String.interfaceFail, .interfaceSkip]
    )
    func `treats items without a gate alike, whether a prompt can be shown or not`(
        execution: SimulatedApp.Execution,
        interface: String
    ) throws {
        let device = try SimulatedDevice()
        device.installExample().run(execution) {
            #expect(Password().add(accessible: .whenUnlocked) == errSecSuccess)
            #expect(Password().read([kSecUseAuthenticationUI: interface]) == .value)
            device.lock()
            #expect(Password().read([kSecUseAuthenticationUI: interface]) == .notAllowed)
        }
    }

    @Test(.requirement("SIM-21")) func `forgets everything when it is erased`() throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        app.run {
            #expect(Password().add(accessible: .always) == errSecSuccess)
            #expect(Password(isSynchronizable: true).add() == errSecSuccess)
        }
        device.lock()
        device.erase()
        #expect(device.state == .unlocked)
        #expect(app.run { Password().read() } == .notEntitled)
        try device.installExample().run {
            let any: [CFString: Any] = [kSecAttrSynchronizable: kSecAttrSynchronizableAny]
            #expect(Password().read(any) == .notFound)
            #expect(Password().add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecAuthFailed)
            try device.setPasscode("1234", current: nil)
            #expect(Password().add(accessible: .whenPasscodeSetThisDeviceOnly) == errSecSuccess)
        }
    }

    @Test(.requirement("SIM-21"))
    func `can be cleaned of one service without a trace`() throws {
        let device = try SimulatedDevice()
        device.installExample().run {
            #expect(Password(service: "test", account: "one").add() == errSecSuccess)
            #expect(Password(service: "test", account: "two").add() == errSecSuccess)
            let synced = Password(service: "test", account: "one", isSynchronizable: true)
            #expect(synced.add() == errSecSuccess)
            #expect(Password(service: "other").add() == errSecSuccess)
            var all: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: "test",
                kSecAttrSynchronizable: kSecAttrSynchronizableAny,
            ]
            #expect(SecItemDelete(all as CFDictionary) == errSecSuccess)
            all[kSecMatchLimit] = kSecMatchLimitAll
            #expect(SecItemCopyMatching(all as CFDictionary, nil) == errSecItemNotFound)
            #expect(Password(service: "other").read() == .value)
        }
    }
}

@Suite struct `Devices beside each other` {
    @Test func `share nothing`() throws {
        let first = try SimulatedDevice(passcode: "1111")
        let second = try SimulatedDevice(passcode: "2222")
        let onFirst = first.installExample()
        let onSecond = second.installExample()
        #expect(onFirst.run { Password().add("first") } == errSecSuccess)
        #expect(onSecond.run { Password().read() } == .notFound)
        #expect(onSecond.run { Password().add("second") } == errSecSuccess)
        first.lock()
        #expect(onSecond.run { Password().read() } == Reading(errSecSuccess, "second"))
        #expect(throws: SimulatorError.self) { try first.unlock(passcode: "2222") }
        // One app's code may run inside another's.
        onSecond.run {
            #expect(onFirst.run { Password().read() } == .notAllowed)
            #expect(Password().read() == Reading(errSecSuccess, "second"))
        }
        #expect(second.state == .unlocked)
    }

    @Test(.requirement("SIM-18"), arguments: 0..<8)
    func `do not disturb each other in parallel tests`(number: Int) throws {
        let device = try SimulatedDevice(passcode: "\(number)")
        let app = device.installExample()
        for round in 0..<20 {
            let value = "\(number).\(round)"
            app.run {
                #expect(Password().add(value) == errSecSuccess)
                #expect(Password().read() == Reading(errSecSuccess, value))
            }
            device.lock()
            app.run { #expect(Password().read() == .notAllowed) }
            try device.unlock(passcode: "\(number)")
            app.run { #expect(Password().delete() == errSecSuccess) }
        }
    }

    @Test(.requirement("SIM-18"))
    func `keep their tasks apart in one test`() async throws {
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 {
                let app = try SimulatedDevice().installExample()
                group.addTask {
                    await app.run {
                        for account in 0...number { Password(account: "\(account)").add() }
                        await Task.yield()
                        return (0..<8).count { Password(account: "\($0)").find() == errSecSuccess }
                    }
                }
            }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(counts == Set(1...8))
    }
}
