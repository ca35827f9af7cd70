import Foundation
public import UIKit

/// An app with scenes that nothing shows.
///
/// A launch runs the delegate's code and waits.
///
/// ```swift
/// @main
/// struct Mail: App {
///     @UIApplicationDelegateAdaptor(Delegate.self) var delegate
///     var body: some Scene { WindowGroup { Inbox() } }
/// }
/// ```
@MainActor @preconcurrency
public protocol App {
    /// The type of the app's scenes.
    associatedtype Body: Scene
    /// The scenes of the app.
    @SceneBuilder var body: Body { get }
    /// Creates the app.
    init()
}

extension App {
    /// Launches the delegate if the app has one, and serves the main queue until the program is
    /// stopped.
    public static func main() {
        let app = Self()
        let adaptors = Mirror(reflecting: app).children.compactMap { $0.value as? any Launching }
        adaptors.forEach { $0.launch() }
        dispatchMain()
    }
}

/// A part of an app's interface.
@MainActor @preconcurrency
public protocol Scene {
    /// The type of the scene's content.
    associatedtype Body: Scene
    /// The content of the scene.
    @SceneBuilder var body: Body { get }
}

extension Never: Scene {}

/// Windows that no screen shows.
public struct WindowGroup: Scene {
    /// Creates windows with a view.
    public init(@ViewBuilder content: () -> some View) {}

    /// A body that must not be used, because the scene has none.
    public var body: Never { preconditionFailure("a scene without a body has none") }
}

/// Builds the scenes of an app: one.
@resultBuilder
@MainActor
public enum SceneBuilder {
    /// Builds one scene.
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// The state of a scene.
public enum ScenePhase: Sendable {
    /// The scene is in the background.
    case background
    /// The scene is visible.
    case inactive
    /// The scene is in front.
    case active
}

/// The reason why the system runs an app in the background.
public struct BackgroundTask<Request, Response>: Sendable {
    fileprivate init() {}

    /// A refresh that the app requested; it never happens here.
    public static func appRefresh(
        _ identifier: String
    ) -> BackgroundTask<Void, Void> where Request == Void, Response == Void { .init() }
}

extension Scene {
    /// Returns the scene; the action never runs, because nothing wakes the app.
    public func backgroundTask(
        _ task: BackgroundTask<Void, Void>,
        action: @escaping @Sendable () async -> Void
    ) -> some Scene { self }
    /// Returns the scene; the action never runs, because the scene is never in front.
    public func onChange<Value: Equatable>(
        of value: Value,
        _ action: @escaping (_ oldValue: Value, _ newValue: Value) -> Void
    ) -> some Scene { self }
}

/// A part of an app that it launches.
@MainActor
protocol Launching { func launch() }

/// A property wrapper that creates an app's delegate, and informs it about the launch.
///
/// It compiles with every delegate. To run the app, let the delegate be a `LaunchableDelegate`: the
/// program stops at launch if it is not one.
@MainActor @preconcurrency
@propertyWrapper
public struct UIApplicationDelegateAdaptor<Delegate: UIApplicationDelegate>: Launching {
    /// The delegate.
    public let wrappedValue: Delegate

    /// Creates a delegate.
    public init(_ delegateType: Delegate.Type = Delegate.self) {
        let launchable = delegateType as? any LaunchableDelegate.Type
        guard let delegate = launchable?.init() as? Delegate else {
            preconditionFailure("to run here, \(delegateType) has to be a LaunchableDelegate")
        }
        wrappedValue = delegate
    }

    func launch() { UIApplicationLaunch.start(wrappedValue) }
}
