// The C spellings in Swift examples of Apple's article "Restricting Keychain Item Accessibility".
// No SDK has them; with this module, those examples compile.
//
// Source: requirement API-20.

public import KeychainServices

/// The C null pointer, as an allocator argument.
public let NULL: CFAllocator? = nil

/// The article's name for `kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly`.
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSet =
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly

/// Biometry or the passcode, as the system chooses.
public let kSecAccessControlUserPresence = SecAccessControlCreateFlags.userPresence
/// Any enrolled face or finger.
public let kSecAccessControlBiometryAny = SecAccessControlCreateFlags.biometryAny
/// A face or finger that is enrolled when the item is created.
public let kSecAccessControlBiometryCurrentSet = SecAccessControlCreateFlags.biometryCurrentSet
/// The device's passcode.
public let kSecAccessControlDevicePasscode = SecAccessControlCreateFlags.devicePasscode
/// An operator: one of the constraints is enough.
public let kSecAccessControlOr = SecAccessControlCreateFlags.or
/// An operator: the user must meet all constraints.
public let kSecAccessControlAnd = SecAccessControlCreateFlags.and
/// Permission to use a private key.
public let kSecAccessControlPrivateKeyUsage = SecAccessControlCreateFlags.privateKeyUsage
/// A password from the application, which becomes part of the item's key.
public let kSecAccessControlApplicationPassword = SecAccessControlCreateFlags.applicationPassword

extension SecAccessControlCreateFlags {
    /// Returns the union of two sets of flags, as in C.
    public static func | (
        left: SecAccessControlCreateFlags,
        right: SecAccessControlCreateFlags
    ) -> SecAccessControlCreateFlags {
        left.union(right)
    }
}

/// Creates an access control and reports an error as an object, as in Objective-C.
///
/// - Parameters:
///   - allocator: unused.
///   - protection: one of the seven `kSecAttrAccessible…` values.
///   - flags: the constraints.
///   - error: receives an error of `NSOSStatusErrorDomain` with code `errSecParam`, or nil.
/// - Returns: the access control, or nil for flags that do not go together.
/// - Source: the spelling in Apple's "Restricting keychain item accessibility".
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: inout NSError?
) -> SecAccessControl? {
    var failure: Unmanaged<CFError>?
    let control = SecAccessControlCreateWithFlags(allocator, protection, flags, &failure)
    error = failure?.takeRetainedValue()
    return control
}
