import Combine
import Foundation
import KeychainSimulator
import SwiftUI
import Synchronization
import Testing
import UIKit

private final class Delegate: NSObject, LaunchableDelegate {
    var calls: [String] = []

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        calls.append("launch")
        return true
    }

    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
        calls.append("lock")
    }
}

@Suite struct `A delegate without a screen` {
    @Test @MainActor
    func `is created by its adaptor and told of the launch`() {
        let adaptor = UIApplicationDelegateAdaptor(Delegate.self)
        UIApplicationLaunch.start(adaptor.wrappedValue)
        #expect(adaptor.wrappedValue.calls.first == "launch")
        #expect(UIApplication.shared.delegate === adaptor.wrappedValue)
    }

    @Test func `can observe the lock of the device with a publisher`() throws {
        let device = try SimulatedDevice()
        let count = Mutex(0)
        let subscription = NotificationCenter.default
            .publisher(
                for: UIApplication.protectedDataWillBecomeUnavailableNotification,
                object: device
            )
            .sink { _ in count.withLock { $0 += 1 } }
        device.lock()
        #expect(count.withLock { $0 } == 1)
        subscription.cancel()
        try device.unlock(passcode: "0000")
        device.lock()
        #expect(count.withLock { $0 } == 1)
    }

    @Test @MainActor
    func `reads and writes the defaults through its views`() throws {
        let name = "shims-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        let storage = AppStorage(wrappedValue: false, "isUnread", store: defaults)
        #expect(!storage.wrappedValue)
        storage.wrappedValue = true
        #expect(defaults.bool(forKey: "isUnread"))
    }
}
