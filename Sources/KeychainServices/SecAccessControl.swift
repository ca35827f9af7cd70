import CoreFoundation
import KeychainHost
import KeychainModel

/// The conditions under which an item opens: a protection class, and the proof by the user.
///
/// Two objects with the same protection and flags are equal.
///
/// ```swift
/// let control = SecAccessControlCreateWithFlags(
///     nil,
///     kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
///     .userPresence,
///     nil
/// )
/// ```
public final class SecAccessControl: Sendable {
    /// The access control as a value.
    package let value: AccessControl

    /// Creates an object for a combination that was validated.
    package init(_ value: AccessControl) {
        self.value = value
    }
}

extension SecAccessControl: Hashable {
    /// Returns whether both objects have the same protection and flags.
    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool {
        left.value == right.value
    }

    /// Hashes the protection and the flags.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension SecAccessControl: CustomStringConvertible {
    /// The stored code of the protection and the flags in hexadecimal, such as
    /// `SecAccessControl(ak, 0x4012)`.
    public var description: String {
        let bits = String(value.flags.rawValue, radix: 16)
        return "SecAccessControl(\(value.protection.code), 0x\(bits))"
    }
}

extension SecAccessControl: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_001
}

/// Returns the type id of access controls.
@discardableResult
public func SecAccessControlGetTypeID() -> CFTypeID {
    SecAccessControl.typeIdentifier
}

/// Creates an access control.
///
/// The call does not check whether the device has a passcode; `SecItemAdd` does.
///
/// - Parameters:
///   - allocator: unused.
///   - protection: one of the seven `kSecAttrAccessible…` values.
///   - flags: the constraints. Without any, the keychain never prompts for the item.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain` with code `errSecParam`. Its
///     description names the rule that the combination breaks.
/// - Returns: the access control. Returns nil if the combination breaks a rule, or if the chosen
///   version of the system does not know it yet.
/// - Source: Apple's "Restricting keychain item accessibility".
@discardableResult
public func SecAccessControlCreateWithFlags(
    _ allocator: CFAllocator?,
    _ protection: CFTypeRef,
    _ flags: SecAccessControlCreateFlags,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
    do throws(AccessControlError) {
        let value = try AccessControl.validate(
            flags: AccessControl.Flags(rawValue: UInt64(flags.rawValue)),
            protection: (protection as? String) ?? "",
            on: RequestRouter.profiles.system,
            missingOperatorIsAnd: RequestRouter.profiles.behavior.missingOperator == .and
        )
        if value.flags.lacksOperator { noteMissingOperator(.success) }
        return SecAccessControl(value)
    } catch let reason {
        if reason == .missingOperator { noteMissingOperator(.param) }
        let failure = NSError(status: .param, message: reason.explanation)
        error?.pointee = Unmanaged.passRetained(failure)
        return nil
    }
}

/// Records a finding for two authentication flags without an operator, on which the profiles
/// disagree (contradiction `missing-operator`).
private func noteMissingOperator(_ status: SecurityStatus) {
    RequestRouter.note(
        Finding(.missingOperator, verb: .accessControl, item: "access control", status: status)
    )
}
