import CoreFoundation
import KeychainModel

/// The constraints of an access control: the user's proof, and the requirements of the item's key.
///
/// Constraints combine with `.or` or `.and`:
///
/// ```swift
/// let flags: SecAccessControlCreateFlags = [.biometryAny, .or, .devicePasscode]
/// ```
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: CFOptionFlags

    /// Creates a set from any bits; `SecAccessControlCreateWithFlags` refuses bits without a
    /// meaning.
    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    private init(_ flags: AccessControl.Flags) {
        self.init(rawValue: CFOptionFlags(flags.rawValue))
    }

    /// Biometry or the passcode, as the system chooses; works without enrolled biometry.
    public static let userPresence = SecAccessControlCreateFlags(.userPresence)
    /// Any enrolled face or finger, including one enrolled later.
    public static let biometryAny = SecAccessControlCreateFlags(.biometryAny)
    /// A face or finger of the current enrolment; any change of the enrolment closes the item
    /// forever.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(.biometryCurrentSet)
    /// The device's passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(.devicePasscode)
    /// A paired watch nearby.
    public static let watch = SecAccessControlCreateFlags(.companion)
    /// A paired device nearby.
    public static let companion = SecAccessControlCreateFlags(.companion)
    /// An operator: one of the constraints is enough.
    public static let or = SecAccessControlCreateFlags(.or)
    /// An operator: the user must meet all constraints.
    public static let and = SecAccessControlCreateFlags(.and)
    /// Permission to use the private key inside the secure element.
    public static let privateKeyUsage = SecAccessControlCreateFlags(.privateKeyUsage)
    /// A password from the application, which becomes part of the item's key.
    public static let applicationPassword = SecAccessControlCreateFlags(.applicationPassword)

    /// Any enrolled finger.
    @available(*, deprecated, renamed: "biometryAny")
    public static let touchIDAny = SecAccessControlCreateFlags(.biometryAny)
    /// A finger of the current enrolment.
    @available(*, deprecated, renamed: "biometryCurrentSet")
    public static let touchIDCurrentSet = SecAccessControlCreateFlags(.biometryCurrentSet)
}
