#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

extension VaultError {
    struct KnownStatus: Sendable {
        let status: OSStatus
        let name: String
        let reason: Reason
    }

    /// All statuses that a call of this module can ordinarily get.
    static let knownStatuses: [KnownStatus] = [
        .init(status: errSecInteractionNotAllowed, name: "errSecInteractionNotAllowed", .locked),
        .init(status: errSecUserCanceled, name: "errSecUserCanceled", .canceled),
        .init(status: errSecAuthFailed, name: "errSecAuthFailed", .notApproved),
        .init(status: errSecItemNotFound, name: "errSecItemNotFound", .notFound),
        .init(status: errSecDuplicateItem, name: "errSecDuplicateItem", .duplicate),
        .init(status: errSecMissingEntitlement, name: "errSecMissingEntitlement", .notEntitled),
        .init(status: errSecNotAvailable, name: "errSecNotAvailable", .unavailable),
        .init(status: errSecInteractionRequired, name: "errSecInteractionRequired", .locked),
        .init(status: errSecDecode, name: "errSecDecode", .undecodable),
        .init(status: errSecPassphraseRequired, name: "errSecPassphraseRequired", .invalid),
        .init(status: errSecParam, name: "errSecParam", .invalid),
        .init(status: errSecNoSuchAttr, name: "errSecNoSuchAttr", .invalid),
        .init(status: errSecNoSuchClass, name: "errSecNoSuchClass", .invalid),
        .init(status: errSecUnimplemented, name: "errSecUnimplemented", .other),
        .init(status: errSecAllocate, name: "errSecAllocate", .other),
        .init(status: errSecIO, name: "errSecIO", .other),
        .init(status: errSecInternalError, name: "errSecInternalError", .other),
        .init(status: errSecInternalComponent, name: "errSecInternalComponent", .other),
        .init(status: errSecVerifyFailed, name: "errSecVerifyFailed", .other),
    ]
}

extension VaultError.KnownStatus {
    fileprivate init(status: OSStatus, name: String, _ reason: VaultError.Reason) {
        self.init(status: status, name: name, reason: reason)
    }
}

extension VaultError.Reason {
    init(status: OSStatus) {
        let known = VaultError.knownStatuses.first { $0.status == status }
        self = known?.reason ?? .other
    }

    /// The status for a reason that this module determines itself.
    var usualStatus: OSStatus {
        switch self {
        case .locked, .approvalNeeded: errSecInteractionNotAllowed
        case .canceled: errSecUserCanceled
        case .notApproved: errSecAuthFailed
        case .notFound: errSecItemNotFound
        case .duplicate, .ambiguous: errSecDuplicateItem
        case .notEntitled: errSecMissingEntitlement
        case .unavailable: errSecNotAvailable
        case .undecodable: errSecDecode
        case .invalid: errSecParam
        case .other: errSecInternalError
        }
    }

    var advice: String {
        switch self {
        case .locked:
            "The device is locked and the item is there. Try again after the unlock, and delete "
                + "nothing. For work in the background, save the item with .afterFirstUnlock."
        case .approvalNeeded:
            "Read the item with an approval, while the app is in front of the user and the device "
                + "is unlocked."
        case .canceled: "The user canceled. Ask again only when the user asks for the item."
        case .notApproved:
            "The user did not prove what the item requires. A new face or finger closes an item "
                + "of .currentSet forever."
        case .notFound: "There is no such item. Save it first."
        case .duplicate: "There is such an item already. Save it instead of creating it."
        case .ambiguous:
            "Several access groups have this item. Name one: Vault(accessGroup: …)."
        case .notEntitled: "Add the access group to the program's keychain-access-groups."
        case .unavailable: "No keychain can be reached from here."
        case .undecodable: "The stored bytes are not of this type. Another version saved them."
        case .invalid: "The keychain refuses this combination of arguments."
        case .other: "Report the status."
        }
    }
}
