import Foundation
import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// Stores something that stays writable while the device is locked.
@Sendable private func store(_ account: String = "carried") -> OSStatus {
    Password(account: account).add(accessible: .afterFirstUnlock)
}

@Suite(.timeLimit(.minutes(10))) struct `A function that the library calls by itself` {
    @Test(.requirement("USE-01"), arguments: LibraryCallback.allCases)
    func `stays in the app that handed it over`(callback: LibraryCallback) async throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let other = device.install(.init(bundleIdentifier: "com.example.other"))
        #expect(other.run { store("of the other app") } == errSecSuccess)
        #expect(await callback.run({ store() }, in: app, on: device) == errSecSuccess)
        #expect(app.run { Password(account: "carried").find() } == errSecSuccess)
        #expect(other.run { Password(account: "carried").find() } == errSecItemNotFound)
    }

    @Test(.requirement("USE-01"))
    func `is refused once the app is gone`() async throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let callback = LibraryCallback.observerOfLock
        device.uninstall(app)
        #expect(await callback.run({ store() }, in: app, on: device) == errSecMissingEntitlement)
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Code on another thread` {
    @Test(.requirement("USE-03"), arguments: OtherThread.allCases)
    func `calls for the app that carries it`(thread: OtherThread) async throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let other = device.install(.init(bundleIdentifier: "com.example.other"))
        #expect(await thread.run(app.carrying { store() }) == errSecSuccess)
        #expect(app.run { Password(account: "carried").find() } == errSecSuccess)
        #expect(other.run { Password(account: "carried").find() } == errSecItemNotFound)
    }

    @Test(.requirement("USE-03"), arguments: OtherThread.allCases)
    func `calls for the device's present app`(thread: OtherThread) async throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let other = device.install(.init(bundleIdentifier: "com.example.other"))
        // Before any ran it is the first one; then the last; in an app's task that app.
        #expect(await thread.run(device.carrying { store("first") }) == errSecSuccess)
        #expect(app.run { Password(account: "first").find() } == errSecSuccess)
        let work = app.run { () -> @Sendable () -> OSStatus in
            other.run {}
            return device.carrying { store("running") }
        }
        #expect(await thread.run(work) == errSecSuccess)
        #expect(app.run { Password(account: "running").find() } == errSecSuccess)
        #expect(other.run { Password(account: "running").find() } == errSecItemNotFound)
        #expect(await thread.run(device.carrying { store("last") }) == errSecSuccess)
        #expect(other.run { Password(account: "last").find() } == errSecSuccess)
    }

    @Test(.requirement("USE-03")) func `is refused on a device without apps`() async throws {
        let device = try SimulatedDevice()
        let work = device.carrying { store() }
        #expect(await OtherThread.thread.run(work) == errSecNotAvailable)
    }

    @Test(.requirement("USE-03")) func `can throw, wait, take arguments and be in the background`()
        async throws
    {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let checked = app.carrying { (account: String, isPresent: Bool) throws -> OSStatus in
            guard isPresent else { throw CancellationError() }
            return store(account)
        }
        #expect(try checked("ada", true) == errSecSuccess)
        #expect(throws: CancellationError.self) { try checked("ada", false) }
        let waiting = app.carrying(.background) {
            await Task.yield()
            return SecAccessControlCreateWithFlags(
                nil,
                kSecAttrAccessibleWhenUnlocked,
                .userPresence,
                nil
            )
            .map { Password(account: "gated").add("x", [kSecAttrAccessControl: $0]) }
        }
        #expect(try await Task.detached(operation: waiting).value == errSecSuccess)
        let reading = app.carrying(.background) { Password(account: "gated").find() }
        #expect(await OtherThread.dispatchQueue.run(reading) == errSecInteractionNotAllowed)
    }

    @Test(.requirement("USE-03"), arguments: 0..<100)
    func `stays with its device among a hundred in parallel`(number: Int) async throws {
        let device = try SimulatedDevice(passcode: "\(number)")
        let app = device.installExample()
        let statuses = await withTaskGroup(of: OSStatus.self) { group in
            for thread in OtherThread.allCases {
                group.addTask { await thread.run(app.carrying { store(thread.rawValue) }) }
            }
            return await group.reduce(into: [OSStatus]()) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: errSecSuccess, count: OtherThread.allCases.count))
        let query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecMatchLimit: kSecMatchLimitAll,
            kSecReturnAttributes: true,
        ]
        #expect(app.run { Items.count(query) } == OtherThread.allCases.count)
    }
}
