/// The four classes of files (Apple Platform Security, "Data Protection classes").
///
/// A class says when the key of a file can be unwrapped. The numbers are the ones that
/// `Documentation/Spec/file.md` stores.
package enum FileClass: UInt8, Sendable, Hashable, CaseIterable {
    /// While the device is unlocked.
    case complete = 1
    /// A closed file opens while the device is unlocked. An open one stays open when it locks, and
    /// a new one can be made while it is locked.
    case completeUnlessOpen = 2
    /// From the first unlock to the restart. Files that name no class have this one.
    case completeUntilFirstUserAuthentication = 3
    /// Always, on this device.
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

    /// What a file has that names no class.
    package static let `default` = completeUntilFirstUserAuthentication

    /// The class of items that opens at the same times and that this class goes by.
    ///
    /// No class of items corresponds to `completeUnlessOpen`: an item is never left open.
    package var itemClass: ProtectionClass? {
        switch self {
        case .complete: .whenUnlocked
        case .completeUnlessOpen: nil
        case .completeUntilFirstUserAuthentication: .afterFirstUnlock
        case .none: .always
        }
    }

    /// The class of files that goes by a class of items, if there is one.
    package init?(_ itemClass: ProtectionClass) {
        guard let fileClass = Self.allCases.first(where: { $0.itemClass == itemClass })
        else { return nil }
        self = fileClass
    }
}
