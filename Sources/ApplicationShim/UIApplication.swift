public import Foundation
import KeychainHost
import KeychainModel

/// The part of `UIApplication` that reports whether protected data is available.
///
/// Inside a simulated app it reports the state of that device, elsewhere the state of this
/// machine's keychain.
///
/// ```swift
/// guard UIApplication.shared.isProtectedDataAvailable else { return }
/// ```
///
/// - Source: Apple's documentation of `isProtectedDataAvailable`.
@MainActor @preconcurrency
public final class UIApplication: NSObject {
    /// The application of this process.
    public static let shared = UIApplication()

    /// The notification that protected data is available again; a simulated device posts it.
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable"
    )

    /// The notification that the device locks; a simulated device posts it.
    nonisolated public static let protectedDataWillBecomeUnavailableNotification =
        Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")

    /// Whether the keys of items that need an unlocked device are in memory.
    ///
    /// It is false if the keychain cannot be opened.
    public var isProtectedDataAvailable: Bool {
        guard let endpoint = try? RequestRouter.endpoint(),
            case .status(let status)? = try? endpoint.send(.status)
        else { return false }
        return status.isProtectedDataAvailable
    }
}
