public import ApplicationShim
public import Foundation
import Synchronization

/// The identifier of a task that continues in the background.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// Creates an identifier from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The identifier of no task.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

private let lastBackgroundTask = Atomic<Int>(0)

extension UIApplication {
    /// The reasons for an app's launch; a launch has none here.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// The key's text.
        public let rawValue: String

        /// Creates a key from its text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A URL is opened.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
        /// A message arrived.
        public static let remoteNotification = LaunchOptionsKey(
            rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey"
        )
    }

    /// The state of an app.
    ///
    /// Programs often list the cases in a `switch` without a `default`, so there are no others.
    public enum State: Int, Sendable {
        /// The app is in front.
        case active = 0
        /// The app is between front and background.
        case inactive = 1
        /// The app is in the background.
        case background = 2
    }

    /// Always `background`, because there is no screen.
    public var applicationState: State { .background }

    /// The notification that the app is in front; nothing posts it here.
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification"
    )
    /// The notification that the app will leave the front; nothing posts it here.
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification"
    )
    /// The notification that the app is in the background; nothing posts it here.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification"
    )
    /// The notification that the app will be in front; nothing posts it here.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification"
    )
    /// The notification that the app ends; nothing posts it here.
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification"
    )

    /// Returns a new identifier; no task expires here, because nothing suspends the program.
    nonisolated public func beginBackgroundTask(
        withName taskName: String? = nil,
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        .init(rawValue: lastBackgroundTask.add(1, ordering: .relaxed).newValue)
    }

    /// Does nothing, because nothing suspends the program.
    nonisolated public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
}
