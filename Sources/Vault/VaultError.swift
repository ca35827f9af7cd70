#if canImport(Darwin)
    public import Security
#else
    public import KeychainServices
#endif

/// The only error of this module, with the failed call, the item, the status and advice.
///
/// It never contains a secret.
///
/// ```swift
/// do {
///     let token: String? = try vault.read(.refreshToken)
/// } catch where error.reason == .locked {
///     return  // try again after the unlock; the user is still logged in
/// } catch {
///     print(error)  // read password api/token: errSecDecode (-26275): …
/// }
/// ```
public struct VaultError: Error, Hashable, Sendable {
    /// A call of this module.
    public enum Operation: String, Hashable, Codable, Sendable, CaseIterable {
        /// Reading a secret, a key or the presence of an item.
        case read
        /// Listing items.
        case list
        /// Adding or updating an item, or importing identities.
        case save
        /// Adding an item that must be new.
        case create
        /// Deleting an item.
        case delete
        /// Moving an item to another access group.
        case move
        /// Beginning or ending a rotation.
        case rotate
        /// Changing several items, or completing that.
        case transaction
        /// Making a key.
        case makeKey
        /// Signing or verifying.
        case sign
    }

    /// The meaning of the status for the program.
    public enum Reason: String, Hashable, Codable, Sendable, CaseIterable {
        /// The device is locked; the item exists, and can be read later.
        case locked
        /// The item needs the user's approval, or the device is locked.
        case approvalNeeded
        /// The user canceled the prompt.
        case canceled
        /// The user did not give the proof that the item requires.
        case notApproved
        /// There is no such item, and the call needs one.
        case notFound
        /// There already is such an item.
        case duplicate
        /// Several access groups have such an item, and the vault names none of them.
        case ambiguous
        /// The program does not have the entitlement for the access group.
        case notEntitled
        /// The keychain cannot be reached.
        case unavailable
        /// The program cannot decode the stored bytes.
        case undecodable
        /// The combination of arguments is refused.
        case invalid
        /// Anything else; see ``VaultError/status``.
        case other
    }

    /// The status of Keychain Services, such as `errSecInteractionNotAllowed` (-25308).
    public let status: OSStatus
    /// The call that failed.
    public let operation: Operation
    /// The kind of the item.
    public let sort: ItemSort
    /// The item's name without its secret; nil if the call is about several items.
    public let item: String?
    /// The meaning of the status for the program.
    public let reason: Reason
    private let explanation: String?

    init(
        _ status: OSStatus,
        _ operation: Operation,
        _ sort: ItemSort,
        _ item: String?,
        reason: Reason? = nil,
        explanation: String? = nil
    ) {
        self.status = status
        self.operation = operation
        self.sort = sort
        self.item = item.map(ItemName.line)
        self.reason = reason ?? Reason(status: status)
        self.explanation = explanation
    }

    /// The name of the status, such as `errSecInteractionNotAllowed`.
    public var statusName: String {
        Self.knownStatuses.first { $0.status == status }?.name ?? "OSStatus"
    }

    /// Advice for the program, its developer or its user.
    public var advice: String { explanation ?? reason.advice }
}

extension VaultError: CustomStringConvertible {
    /// The call, the item, the status with its number, and the advice.
    public var description: String {
        let subject = item ?? sort.rawValue
        return "\(operation.rawValue) \(subject): \(statusName) (\(status)): \(advice)"
    }
}

extension VaultError {
    init(_ status: OSStatus, _ operation: Operation, _ item: some SecretItem) {
        // The keychain reports a lock and a forbidden prompt with the same status.
        let mayNeedApproval = item.protection.constraint != nil
        self.init(
            status,
            operation,
            type(of: item).sort,
            item.description,
            reason: status == errSecInteractionNotAllowed && mayNeedApproval ? .approvalNeeded : nil
        )
    }

    init(_ reason: Reason, _ operation: Operation, _ item: some SecretItem, _ advice: String) {
        self.init(
            reason.usualStatus,
            operation,
            type(of: item).sort,
            item.description,
            reason: reason,
            explanation: advice
        )
    }
}
