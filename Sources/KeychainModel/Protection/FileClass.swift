/// The four classes of files (Apple Platform Security, "Data Protection classes").
///
/// A class determines when the key of a file can be unwrapped. The numbers are those in
/// `Documentation/Spec/file.md`.
package enum FileClass: UInt8, Sendable, Hashable, CaseIterable {
    /// Available while the device is unlocked.
    case complete = 1
    /// A closed file opens while the device is unlocked.
    ///
    /// An open file stays open when the device locks, and a new one can be created while it is
    /// locked.
    case completeUnlessOpen = 2
    /// Available from the first unlock to the restart; the class of files that name none.
    case completeUntilFirstUserAuthentication = 3
    /// Always available, on this device.
    case none = 4

    /// Apple's constant without its prefix, such as `Complete`.
    package var name: String {
        switch self {
        case .complete: "Complete"
        case .completeUnlessOpen: "CompleteUnlessOpen"
        case .completeUntilFirstUserAuthentication: "CompleteUntilFirstUserAuthentication"
        case .none: "None"
        }
    }

    /// The class of a file that names none.
    package static let `default` = completeUntilFirstUserAuthentication

    /// The item class with the same availability, whose name this class uses.
    ///
    /// None corresponds to `completeUnlessOpen`, because an item is never left open.
    package var itemClass: ProtectionClass? {
        switch self {
        case .complete: .whenUnlocked
        case .completeUnlessOpen: nil
        case .completeUntilFirstUserAuthentication: .afterFirstUnlock
        case .none: .always
        }
    }

    /// Creates the file class that corresponds to an item class, if there is one.
    package init?(_ itemClass: ProtectionClass) {
        guard let fileClass = Self.allCases.first(where: { $0.itemClass == itemClass })
        else { return nil }
        self = fileClass
    }
}
