public import Foundation

/// An object that receives events; none arrive here.
@MainActor @preconcurrency
open class UIResponder: NSObject {
    /// Creates a responder.
    override public init() {}
}

/// A controller of a screen that does not exist: nothing loads its view.
@MainActor @preconcurrency
open class UIViewController: UIResponder {
    /// Runs when the view is loaded; never called here.
    open func viewDidLoad() {}
    /// Runs when the view will appear; never called here.
    open func viewWillAppear(_ animated: Bool) {}
    /// Runs when the view appeared; never called here.
    open func viewDidAppear(_ animated: Bool) {}
}

/// A window that no screen shows.
@MainActor @preconcurrency
open class UIWindow: UIResponder {
    /// The controller of its contents.
    public var rootViewController: UIViewController?

    /// Creates a window of a scene.
    public init(windowScene: UIWindowScene) {}

    /// Does nothing.
    public func makeKeyAndVisible() {}
}

/// A part of an app's interface; the system creates none here.
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// The options with which a scene is connected.
    public final class ConnectionOptions: NSObject {
        override private init() {}
    }

    override fileprivate init() {}
}

/// A scene with windows.
@MainActor @preconcurrency
public final class UIWindowScene: UIScene {}

/// A scene that the system remembers.
@MainActor @preconcurrency
public final class UISceneSession: NSObject {
    override private init() {}
}

/// The object that the system informs about a scene; nothing calls it here.
@MainActor @preconcurrency
public protocol UISceneDelegate: NSObjectProtocol {
    /// Tells the delegate that a scene is connected.
    func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    )
    /// Tells the delegate that a scene is in front.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Tells the delegate that a scene is in the background.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Tells the delegate that a scene will be in front.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// Tells the delegate that a scene will leave the front.
    func sceneWillResignActive(_ scene: UIScene)
}

extension UISceneDelegate {
    /// Does nothing.
    public func scene(
        _ scene: UIScene,
        willConnectTo session: UISceneSession,
        options connectionOptions: UIScene.ConnectionOptions
    ) {}
    /// Does nothing.
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    /// Does nothing.
    public func sceneWillResignActive(_ scene: UIScene) {}
}

/// The delegate of a scene with windows.
@MainActor @preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window of the scene.
    var window: UIWindow? { get set }
}

extension UIWindowSceneDelegate {
    /// Nil, and it stays nil.
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}
