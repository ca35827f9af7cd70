import Foundation
import KeychainSimulator
import Security

// Walks a simulated phone through the scenarios that otherwise need one in hand, with the same
// calls that an app makes. Exit status 0 only if every status was the expected one.

/// One line of the tour: what was done, the status that it should give, the one that it gave.
struct Step {
    let deed: String
    let expected: OSStatus
    let observed: OSStatus

    var holds: Bool { expected == observed }

    var line: String {
        let mark = holds ? "ok  " : "FAIL"
        let padded = deed.padding(toLength: 62, withPad: " ", startingAt: 0)
        return "  \(mark) \(padded) expected \(expected), observed \(observed)"
    }
}

/// One scenario on a device of its own.
struct Scenario {
    let title: String
    let walk: (SimulatedDevice, SimulatedApp) throws -> [Step]

    func run() throws -> [Step] {
        let device = try SimulatedDevice()
        let app = device.install(.init(bundleIdentifier: "com.example.tour"))
        return try walk(device, app)
    }
}

/// The app under test: a token for each accessibility that the scenarios need.
extension SimulatedApp {
    func store(_ account: String, _ accessible: CFString) -> OSStatus {
        run {
            let item: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "com.example.tour",
                kSecAttrAccount as String: account,
                kSecAttrAccessible as String: accessible,
                kSecValueData as String: Data("token of \(account)".utf8),
            ]
            return SecItemAdd(item as CFDictionary, nil)
        }
    }

    func read(_ account: String, _ execution: Execution = .foreground) -> OSStatus {
        run(execution) {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "com.example.tour",
                kSecAttrAccount as String: account,
                kSecReturnData as String: true,
            ]
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            guard status == errSecSuccess else { return status }
            return result as? Data == Data("token of \(account)".utf8) ? status : errSecDecode
        }
    }
}

let scenarios = [
    Scenario(title: "1. Reboot: before first unlock nothing but Always is open") { device, app in
        var steps = [
            Step(
                deed: "store an AfterFirstUnlock token",
                expected: errSecSuccess,
                observed: app.store("background", kSecAttrAccessibleAfterFirstUnlock)
            )
        ]
        device.reboot()
        steps.append(
            Step(
                deed: "reboot, read it before the first unlock",
                expected: errSecInteractionNotAllowed,
                observed: app.read("background")
            )
        )
        try device.unlock(passcode: "0000")
        device.lock()
        steps.append(
            Step(
                deed: "unlock once, lock, read it in the background",
                expected: errSecSuccess,
                observed: app.read("background", .background)
            )
        )
        return steps
    },
    Scenario(title: "2. Lock: a WhenUnlocked token is out of reach at once") { device, app in
        var steps = [
            Step(
                deed: "store a WhenUnlocked token",
                expected: errSecSuccess,
                observed: app.store("session", kSecAttrAccessibleWhenUnlocked)
            )
        ]
        device.lock()
        steps.append(
            Step(
                deed: "lock, read it",
                expected: errSecInteractionNotAllowed,
                observed: app.read("session")
            )
        )
        try device.unlock(passcode: "0000")
        device.lock(grace: .seconds(10))
        device.advance(by: .seconds(9))
        steps.append(
            Step(
                deed: "unlock, lock with 10 s of grace, read it after 9 s",
                expected: errSecSuccess,
                observed: app.read("session")
            )
        )
        device.advance(by: .seconds(2))
        steps.append(
            Step(
                deed: "and after 11 s",
                expected: errSecInteractionNotAllowed,
                observed: app.read("session")
            )
        )
        return steps
    },
    Scenario(title: "3. Passcode removed: its items are gone for good") { device, app in
        var steps = [
            Step(
                deed: "store a WhenPasscodeSet token",
                expected: errSecSuccess,
                observed: app.store("vault", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            )
        ]
        try device.removePasscode(current: "0000")
        steps.append(
            Step(
                deed: "remove the passcode, read it",
                expected: errSecItemNotFound,
                observed: app.read("vault")
            )
        )
        steps.append(
            Step(
                deed: "store another one without a passcode",
                expected: errSecAuthFailed,
                observed: app.store("vault", kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
            )
        )
        try device.setPasscode("1234", current: nil)
        steps.append(
            Step(
                deed: "set a new passcode, look for the old token",
                expected: errSecItemNotFound,
                observed: app.read("vault")
            )
        )
        return steps
    },
    Scenario(title: "5. Backup restored to another device: ThisDeviceOnly items") { device, app in
        var steps = [
            Step(
                deed: "store an AfterFirstUnlock and a ThisDeviceOnly token",
                expected: errSecSuccess,
                observed: app.store("account", kSecAttrAccessibleAfterFirstUnlock)
                    | app.store("bound", kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
            )
        ]
        let backup = try device.backup(password: "correct horse")
        let other = try SimulatedDevice(passcode: "9876")
        try other.restore(backup, password: "correct horse")
        let moved = other.install(.init(bundleIdentifier: "com.example.tour"))
        steps.append(
            Step(
                deed: "restore the backup to another device, read the first",
                expected: errSecSuccess,
                observed: moved.read("account")
            )
        )
        steps.append(
            Step(
                deed: "and the ThisDeviceOnly one",
                expected: errSecItemNotFound,
                observed: moved.read("bound")
            )
        )
        try device.restore(backup, password: "correct horse")
        steps.append(
            Step(
                deed: "restore it to the device that made it, read that one there",
                expected: errSecSuccess,
                observed: app.read("bound")
            )
        )
        return steps
    },
    Scenario(title: "6. A background extension on a locked phone") { device, app in
        var steps = [
            Step(
                deed: "store an AfterFirstUnlock and a WhenUnlocked token",
                expected: errSecSuccess,
                observed: app.store("push", kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
                    | app.store("widget", kSecAttrAccessibleWhenUnlocked)
            )
        ]
        device.lock()
        steps.append(
            Step(
                deed: "lock, read the AfterFirstUnlock one in the background",
                expected: errSecSuccess,
                observed: app.read("push", .background)
            )
        )
        steps.append(
            Step(
                deed: "and the WhenUnlocked one",
                expected: errSecInteractionNotAllowed,
                observed: app.read("widget", .background)
            )
        )
        return steps
    },
]

let laterScenarios = [
    "4. Enrollment changed: .biometryCurrentSet items (needs prompts)"
]

var failures = 0
for scenario in scenarios {
    print(scenario.title)
    for step in try scenario.run() {
        print(step.line)
        if !step.holds { failures += 1 }
    }
}
print("Still to come:")
for title in laterScenarios { print("  " + title) }
exit(failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE)
