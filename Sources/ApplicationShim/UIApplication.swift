public import Foundation
import KeychainHost
import KeychainModel

/// The part of `UIApplication` that tells whether protected data is available.
///
/// For code that asks before it reads the keychain. Inside a simulated app the answers are that
/// device's; elsewhere they are those of this machine's keychain.
/// - Source: Migration guide; Keychain access control guide.
@MainActor
public final class UIApplication: NSObject {
    /// The application that runs here.
    public static let shared = UIApplication()

    /// Posted when protected data can be read again.
    nonisolated public static let protectedDataDidBecomeAvailableNotification = Notification.Name(
        "UIApplicationProtectedDataDidBecomeAvailable"
    )

    /// Posted when the device is locked.
    nonisolated public static let protectedDataWillBecomeUnavailableNotification =
        Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")

    /// Whether the keys of items that are readable while unlocked are in memory.
    ///
    /// False also where the keychain cannot be opened.
    public var isProtectedDataAvailable: Bool {
        guard let endpoint = try? Connection.endpoint(),
            case .status(let status)? = try? endpoint.send(.device(.status))
        else { return false }
        return status.isProtectedDataAvailable
    }
}
