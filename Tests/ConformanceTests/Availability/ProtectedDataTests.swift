import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// The notifications of one device in the order in which they come.
///
/// `@unchecked Sendable` is sound because the tokens are set once and only used in `deinit`.
private final class Announcements: @unchecked Sendable {
    let names: AsyncStream<Notification.Name>
    private let tokens: [any NSObjectProtocol]

    init(of device: SimulatedDevice, on queue: OperationQueue? = nil) {
        let (names, sink) = AsyncStream.makeStream(of: Notification.Name.self)
        self.names = names
        tokens = Self.all.map { name in
            NotificationCenter.default.addObserver(forName: name, object: device, queue: queue) {
                sink.yield($0.name)
            }
        }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

    private static let all = [
        SimulatedDevice.protectedDataWillBecomeUnavailableNotification,
        SimulatedDevice.protectedDataDidBecomeAvailableNotification,
    ]

    /// Waits for that many.
    func first(_ count: Int) async -> [Notification.Name] {
        await names.prefix(count).reduce(into: []) { $0.append($1) }
    }
}

private let gone = SimulatedDevice.protectedDataWillBecomeUnavailableNotification
private let back = SimulatedDevice.protectedDataDidBecomeAvailableNotification

@Suite(.timeLimit(.minutes(10))) struct `Protected data` {
    @Test(.requirement("ACC-31"))
    func `is announced when it goes and when it comes back`() async throws {
        let device = try SimulatedDevice()
        let announcements = Announcements(of: device)
        #expect(device.isProtectedDataAvailable)
        device.lock()
        #expect(!device.isProtectedDataAvailable)
        device.lock()
        try device.unlock(passcode: "0000")
        #expect(device.isProtectedDataAvailable)
        device.reboot()
        #expect(!device.isProtectedDataAvailable)
        try device.unlock(passcode: "0000")
        #expect(await announcements.first(4) == [gone, back, gone, back])
    }

    @Test(.requirement("ACC-31"))
    func `is there until a grace period is over`() async throws {
        let device = try SimulatedDevice()
        let announcements = Announcements(of: device)
        device.lock(grace: .seconds(10))
        #expect(device.isProtectedDataAvailable)
        device.advance(by: .seconds(11))
        #expect(!device.isProtectedDataAvailable)
        #expect(await announcements.first(1) == [gone])
    }

    @Test(.requirement("ACC-31"))
    func `of one device says nothing to those who watch another`() async throws {
        let watched = try SimulatedDevice()
        let other = try SimulatedDevice()
        let announcements = Announcements(of: watched)
        other.reboot()
        try other.unlock(passcode: "0000")
        try watched.removePasscode(current: "0000")
        try watched.setPasscode("0000", current: nil)
        watched.lock()
        try watched.unlock(passcode: "0000")
        #expect(await announcements.first(2) == [gone, back])
    }

    @Test(.requirement("ACC-31", "ACC-23"))
    func `of a device without a passcode is always there`() throws {
        let device = try SimulatedDevice(passcode: nil)
        device.lock()
        #expect(device.isProtectedDataAvailable)
        device.reboot()
        #expect(device.isProtectedDataAvailable)
    }

    @Test(.requirement("ACC-30"))
    func `is what a program waits for that starts before the first unlock`() async throws {
        let device = try SimulatedDevice()
        let app = device.installExample()
        let password = Password()
        app.run { _ = password.add(accessible: .afterFirstUnlock) }
        device.reboot()
        let announcements = Announcements(of: device)
        app.run(.background) {
            #expect(!device.isProtectedDataAvailable)
            #expect(password.read() == .notAllowed)
        }
        try device.unlock(passcode: "0000")
        #expect(await announcements.first(1) == [back])
        app.run(.background) {
            #expect(device.isProtectedDataAvailable)
            #expect(password.read() == .value)
        }
    }

    @Test(.requirement("API-27", "ACC-31"))
    func `reaches an observer on the main queue while the main actor locks`() async {
        await #expect(processExitsWith: .success) {
            // A deadlock ends this process, not the run of the tests.
            alarm(30)
            let device = try SimulatedDevice()
            let announcements = Announcements(of: device, on: .main)
            let elapsed = try await MainActor.run {
                let start = ContinuousClock.now
                device.lock()
                try device.unlock(passcode: "0000")
                return ContinuousClock.now - start
            }
            #expect(elapsed < .seconds(5))
            #expect(await announcements.first(2) == [gone, back])
        }
    }
}
