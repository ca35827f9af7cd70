import Foundation
import Security
import UIKit

/// Lets launch code pass once protected data is available, and clears what an earlier installation
/// left in the keychain. Earlier versions of this app kept nothing there, so an update loses nothing.
actor LaunchGate {
    static let shared = LaunchGate()

    private let launchedKey = "com.example.mail.launched"
    private var observer: (any NSObjectProtocol)?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func open() async {
        await waitForProtectedData()
        guard !UserDefaults.standard.bool(forKey: launchedKey) else { return }
        guard cleanUpFirstLaunch() else { return }
        UserDefaults.standard.set(true, forKey: launchedKey)
    }

    /// Deletes what an earlier installation left; returns whether nothing of it is left.
    private func cleanUpFirstLaunch() -> Bool { TokenStore().deleteAll() }

    private func waitForProtectedData() async {
        observe()
        guard await !isAvailable() else { return stopWaiting() }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func isAvailable() async -> Bool {
        await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
    }

    /// The block uses the actor's method, as code from before Swift 6 does; it only starts a task.
    private func observe() {
        observer =
            observer
            ?? NotificationCenter.default.addObserver(
                forName: UIApplication.protectedDataDidBecomeAvailableNotification,
                object: nil,
                queue: .main
            ) { _ in
                Task { self.stopWaiting() }
            }
    }

    private func stopWaiting() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
