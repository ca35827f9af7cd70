import CoreFoundation
import KeychainHost
import KeychainModel

/// When an item can be opened, and what a person must do for it.
///
/// Two objects with the same protection and flags are equal.
public final class SecAccessControl: Sendable {
    /// The value that the object stands for.
    package let value: AccessControl

    /// An object for a combination that has been checked.
    package init(_ value: AccessControl) {
        self.value = value
    }
}

extension SecAccessControl: Hashable {
    /// Whether protection and flags are the same.
    public static func == (left: SecAccessControl, right: SecAccessControl) -> Bool {
        left.value == right.value
    }

    /// Hashes protection and flags.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension SecAccessControl: CustomStringConvertible {
    /// Protection and flags, such as `SecAccessControl(ak, 0x4012)`.
    public var description: String {
        let bits = String(value.flags.rawValue, radix: 16)
        return "SecAccessControl(\(value.protection.code), 0x\(bits))"
    }
}

extension SecAccessControl: CFTypeIdentified {
    package static let typeIdentifier: CFTypeID = 1_001
}

/// The type id of access controls.
public func SecAccessControlGetTypeID() -> CFTypeID {
    SecAccessControl.typeIdentifier
}

/// Makes an access control.
///
/// - Parameters:
///   - allocator: unused.
///   - protection: one of the seven `kSecAttrAccessible…` values.
///   - flags: the constraints; none means that nobody is asked.
///   - error: receives, at +1, an error of `NSOSStatusErrorDomain` with code -50 whose description
///     says which rule the combination breaks.
/// - Returns: nil for a combination that breaks a rule, or that the system's version does not know
///   yet. A missing passcode is no reason: it shows
///   when an item is added.
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
            on: Connection.profiles.system,
            missingOperatorIsAnd: Connection.profiles.behavior.missingOperator == .and
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

/// The profiles disagree on two authentication flags without an operator
/// (contradiction `missing-operator`).
private func noteMissingOperator(_ status: SecurityStatus) {
    Connection.note(
        Finding(.missingOperator, verb: .accessControl, item: "access control", status: status)
    )
}
