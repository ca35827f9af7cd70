// The C spellings that Apple's article "Restricting Keychain Item Accessibility" mixes into its
// Swift examples. No SDK has them; with this module those examples compile.
//
// Source: requirement API-20.

public import KeychainServices

/// The C null pointer, where an allocator goes.
public let NULL: CFAllocator? = nil

/// The article's name for the class that needs a passcode; it exists for one device only.
nonisolated(unsafe) public let kSecAttrAccessibleWhenPasscodeSet =
    kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly

/// Biometry or passcode, as the system chooses.
public let kSecAccessControlUserPresence = SecAccessControlCreateFlags.userPresence
/// Any enrolled face or finger.
public let kSecAccessControlBiometryAny = SecAccessControlCreateFlags.biometryAny
/// The faces or fingers that are enrolled when the item is made.
public let kSecAccessControlBiometryCurrentSet = SecAccessControlCreateFlags.biometryCurrentSet
/// The device's passcode.
public let kSecAccessControlDevicePasscode = SecAccessControlCreateFlags.devicePasscode
/// One of the constraints suffices.
public let kSecAccessControlOr = SecAccessControlCreateFlags.or
/// All of the constraints are required.
public let kSecAccessControlAnd = SecAccessControlCreateFlags.and
/// A private key may be used.
public let kSecAccessControlPrivateKeyUsage = SecAccessControlCreateFlags.privateKeyUsage
/// A password of the application takes part in the item's key.
public let kSecAccessControlApplicationPassword = SecAccessControlCreateFlags.applicationPassword

extension SecAccessControlCreateFlags {
    /// The union of two sets of flags, as C writes it.
    public static func | (
        left: SecAccessControlCreateFlags,
        right: SecAccessControlCreateFlags
    ) -> SecAccessControlCreateFlags {
        left.union(right)
    }
}

/// Makes an access control; an error arrives as an object, as in Objective-C.
///
/// - Returns: nil for flags that do not go together; the error has code -50.
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
