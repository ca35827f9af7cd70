public import ApplicationShim
import Dispatch
public import Foundation

/// The object that the system informs about an app.
///
/// A launch informs a ``LaunchableDelegate`` about itself, and then about protected data. This
/// module makes none of the other calls.
///
/// ```swift
/// @main
/// final class Delegate: NSObject, LaunchableDelegate {
///     func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
///         Task { await migrate() }
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol UIApplicationDelegate: NSObjectProtocol {
    /// Tells the delegate that the app has been launched.
    @discardableResult
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Tells the delegate that items of a locked device are readable.
    func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
    /// Tells the delegate that the device locks.
    func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
    /// Tells the delegate that the app is in front; never called here.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Tells the delegate that the app will leave the front; never called here.
    func applicationWillResignActive(_ application: UIApplication)
    /// Tells the delegate that the app is in the background; never called here.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// Tells the delegate that the app will be in front; never called here.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// Tells the delegate that the app ends; never called here.
    func applicationWillTerminate(_ application: UIApplication)
    /// Lets the app work in the background; never called here.
    func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping (UIBackgroundFetchResult) -> Void
    )
    /// Delivers a message from a server; never called here.
    func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    )
}

extension UIApplicationDelegate {
    /// Returns true.
    @discardableResult
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
    /// Does nothing.
    public func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillResignActive(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    /// Does nothing.
    public func applicationWillTerminate(_ application: UIApplication) {}
    /// Reports that there is no data.
    public func application(
        _ application: UIApplication,
        performFetchWithCompletionHandler completionHandler:
            @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }
    /// Reports that there is no data.
    public func application(
        _ application: UIApplication,
        didReceiveRemoteNotification userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
    ) { completionHandler(.noData) }
}

/// A delegate that a launch can create; Apple's UIKit has no such name.
///
/// Without Objective-C, no code can create an object of a class that is known only at run time. If
/// the app shall run here, and not only compile, let its delegate conform:
///
/// ```swift
/// extension Delegate: LaunchableDelegate {}
/// ```
@MainActor @preconcurrency
public protocol LaunchableDelegate: UIApplicationDelegate {
    /// Creates the delegate.
    init()
}

extension LaunchableDelegate {
    /// Launches the delegate, and serves the main queue until the program is stopped.
    public static func main() {
        UIApplicationLaunch.start(Self())
        dispatchMain()
    }
}

/// The launch of a delegate, without a screen.
@MainActor @preconcurrency
package enum UIApplicationLaunch {
    private static var delegate: (any UIApplicationDelegate)?
    private static var observers: [any NSObjectProtocol] = []

    /// Informs a delegate about the launch, and from now on about protected data.
    package static func start(_ delegate: any UIApplicationDelegate) {
        observers.forEach { NotificationCenter.default.removeObserver($0) }
        self.delegate = delegate
        observers = [
            observe(UIApplication.protectedDataDidBecomeAvailableNotification) {
                $0.applicationProtectedDataDidBecomeAvailable(.shared)
            },
            observe(UIApplication.protectedDataWillBecomeUnavailableNotification) {
                $0.applicationProtectedDataWillBecomeUnavailable(.shared)
            },
        ]
        _ = delegate.application(.shared, didFinishLaunchingWithOptions: nil)
    }

    private static func observe(
        _ name: Notification.Name,
        _ tell: @escaping @MainActor @Sendable (any UIApplicationDelegate) -> Void
    ) -> any NSObjectProtocol {
        let block: @Sendable (Notification) -> Void = { _ in
            MainActor.assumeIsolated { delegate.map(tell) }
        }
        return NotificationCenter.default.addObserver(
            forName: Optional(name),
            object: nil,
            queue: Optional(.main),
            using: block
        )
    }

    /// The delegate that was launched.
    static var current: (any UIApplicationDelegate)? { delegate }
}

extension UIApplication {
    /// The delegate that was launched; nil before.
    public var delegate: (any UIApplicationDelegate)? { UIApplicationLaunch.current }
}
