import CoreFoundation
import KeychainModel

/// What a person must do, and how an item's key is made, before an item opens.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: CFOptionFlags

    /// Takes any bits; creating an access control refuses those without a meaning.
    public init(rawValue: CFOptionFlags) {
        self.rawValue = rawValue
    }

    private init(_ flags: AccessControl.Flags) {
        self.init(rawValue: CFOptionFlags(flags.rawValue))
    }

    /// Biometry or passcode, as the system chooses; needs no enrolled biometry.
    public static let userPresence = SecAccessControlCreateFlags(.userPresence)
    /// Any enrolled face or finger, also one enrolled later.
    public static let biometryAny = SecAccessControlCreateFlags(.biometryAny)
    /// An enrolled face or finger; any change of the enrolment closes the item for good.
    public static let biometryCurrentSet = SecAccessControlCreateFlags(.biometryCurrentSet)
    /// The device's passcode.
    public static let devicePasscode = SecAccessControlCreateFlags(.devicePasscode)
    /// A paired watch nearby.
    public static let watch = SecAccessControlCreateFlags(.companion)
    /// A paired device nearby.
    public static let companion = SecAccessControlCreateFlags(.companion)
    /// One of the constraints suffices.
    public static let or = SecAccessControlCreateFlags(.or)
    /// All constraints have to be met.
    public static let and = SecAccessControlCreateFlags(.and)
    /// The private key may be used inside the secure element.
    public static let privateKeyUsage = SecAccessControlCreateFlags(.privateKeyUsage)
    /// A password from the application takes part in the item's key.
    public static let applicationPassword = SecAccessControlCreateFlags(.applicationPassword)

    /// Any enrolled finger.
    @available(*, deprecated, renamed: "biometryAny")
    public static let touchIDAny = SecAccessControlCreateFlags(.biometryAny)
    /// A finger of the present enrolment.
    @available(*, deprecated, renamed: "biometryCurrentSet")
    public static let touchIDCurrentSet = SecAccessControlCreateFlags(.biometryCurrentSet)
}
