public import Foundation

/// The kind of a device's screen.
public enum UIUserInterfaceIdiom: Int, Sendable {
    /// The kind is unknown, which is always so here.
    case unspecified = -1
    /// An iPhone.
    case phone
    /// An iPad.
    case pad
    /// An Apple TV.
    case tv
    /// A car.
    case carPlay
    /// A Mac.
    case mac = 5
    /// An Apple Vision.
    case vision
}

/// The device that the program runs on: this machine.
@MainActor @preconcurrency
public final class UIDevice: NSObject {
    /// This device.
    public static let current = UIDevice()

    /// Always nil, because an app cannot be distinguished from another one of its vendor.
    ///
    /// On Apple's platforms it can be nil, too, for instance before the first unlock. Store a UUID
    /// of your own in the keychain.
    public var identifierForVendor: UUID? { nil }

    /// The name of this machine.
    public var name: String { ProcessInfo.processInfo.hostName }
    /// `Linux`.
    public var systemName: String { "Linux" }
    /// The release of the system.
    public var systemVersion: String { ProcessInfo.processInfo.operatingSystemVersionString }
    /// `Linux`.
    public var model: String { "Linux" }
    /// `Linux`.
    public var localizedModel: String { model }
    /// Always `unspecified`, because there is no screen.
    public var userInterfaceIdiom: UIUserInterfaceIdiom { .unspecified }
    /// Always true.
    public var isMultitaskingSupported: Bool { true }
}
