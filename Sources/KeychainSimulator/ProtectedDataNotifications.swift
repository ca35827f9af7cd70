import DataProtection
import Foundation
import KeychainHost

/// Posts the notifications of `UIApplication` about protected data.
///
/// Foundation's `post` waits for observers on the main queue. A device that the main thread drives
/// must not wait for itself. So a separate queue posts the notifications in order, and the device
/// waits for it only a limited time. Observers without a queue run in the app that makes the call,
/// or else in the last one that ran.
/// - Source: requirements ACC-31, API-27.
final class ProtectedDataNotifications: Sendable {
    private static let patience = DispatchTimeInterval.milliseconds(50)
    private let queue = DispatchQueue(label: "simulated device notifications")

    func post(_ announcement: DeviceAnnouncement, from device: SimulatedDevice) {
        let name = announcement.notification
        let done = DispatchSemaphore(value: 0)
        let post = RequestRouter.carrying(device.presentEndpoint) {
            NotificationCenter.default.post(name: name, object: device)
        }
        queue.async {
            post()
            done.signal()
        }
        _ = done.wait(timeout: .now() + Self.patience)
    }
}

extension DeviceAnnouncement {
    fileprivate var notification: Notification.Name {
        switch self {
        case .protectedDataDidBecomeAvailable:
            SimulatedDevice.protectedDataDidBecomeAvailableNotification
        case .protectedDataWillBecomeUnavailable:
            SimulatedDevice.protectedDataWillBecomeUnavailableNotification
        }
    }
}

extension SimulatedDevice {
    /// The notification that protected data is available again; its object is the device.
    ///
    /// Observers run in the app that unlocks the device, or else in the app that ran last. Wrap an
    /// observer with a queue, such as `.main`, in `SimulatedApp.carrying(_:_:)`. The device waits
    /// at most 50 ms for its observers.
    ///
    /// ```swift
    /// NotificationCenter.default.addObserver(
    ///     forName: SimulatedDevice.protectedDataDidBecomeAvailableNotification,
    ///     object: phone,
    ///     queue: .main,
    ///     using: app.carrying { _ in reload() }
    /// )
    /// ```
    public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable"
    )
    /// The notification that the device locks; its object is the device.
    ///
    /// Observers run like those of ``protectedDataDidBecomeAvailableNotification``.
    public static let protectedDataWillBecomeUnavailableNotification = Notification.Name(
        "UIApplicationProtectedDataWillBecomeUnavailable"
    )
}
