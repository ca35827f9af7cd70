/// The outcome of a keychain call: any 32-bit status, those with a name as constants.
///
/// Open by design: a code without a constant here is still a status. Equal by code.
/// Source: the numbers of Apple's public `SecBase.h`; the sentences are this project's own.
package struct SecurityStatus: RawRepresentable, Hashable, Sendable {
    /// The number that Apple's functions return as `OSStatus`.
    package let rawValue: Int32

    /// Wraps any code, known or not.
    package init(rawValue: Int32) {
        self.rawValue = rawValue
    }
}

extension SecurityStatus {
    /// The call did what was asked.
    ///
    /// The corresponding C constant is `errSecSuccess`.
    package static let success = SecurityStatus(rawValue: 0)

    /// The operation does not exist here.
    ///
    /// The corresponding C constant is `errSecUnimplemented`.
    package static let unimplemented = SecurityStatus(rawValue: -4)

    /// The disk is full.
    ///
    /// The corresponding C constant is `errSecDiskFull`.
    package static let diskFull = SecurityStatus(rawValue: -34)

    /// The disk failed.
    ///
    /// The corresponding C constant is `errSecIO`.
    package static let io = SecurityStatus(rawValue: -36)

    /// The query or a value in it is illegal.
    ///
    /// The corresponding C constant is `errSecParam`.
    package static let param = SecurityStatus(rawValue: -50)

    /// The file is already open for writing.
    ///
    /// The corresponding C constant is `errSecOpWr`.
    package static let openForWriting = SecurityStatus(rawValue: -49)

    /// Writing was refused.
    ///
    /// The corresponding C constant is `errSecWrPerm`.
    package static let writePermission = SecurityStatus(rawValue: -61)

    /// Memory ran out.
    ///
    /// The corresponding C constant is `errSecAllocate`.
    package static let allocate = SecurityStatus(rawValue: -108)

    /// The person canceled a prompt.
    ///
    /// The corresponding C constant is `errSecUserCanceled`.
    package static let userCanceled = SecurityStatus(rawValue: -128)

    /// A part of the keychain failed.
    ///
    /// The corresponding C constant is `errSecInternalComponent`.
    package static let internalComponent = SecurityStatus(rawValue: -2070)

    /// PKCS #12 data fails its check.
    ///
    /// The corresponding C constant is `errSecPkcs12VerifyFailure`.
    package static let pkcs12VerifyFailure = SecurityStatus(rawValue: -25264)

    /// The keychain cannot be used.
    ///
    /// The corresponding C constant is `errSecNotAvailable`.
    package static let notAvailable = SecurityStatus(rawValue: -25291)

    /// The keychain cannot be written.
    ///
    /// The corresponding C constant is `errSecReadOnly`.
    package static let readOnly = SecurityStatus(rawValue: -25292)

    /// Authentication failed.
    ///
    /// The corresponding C constant is `errSecAuthFailed`.
    package static let authFailed = SecurityStatus(rawValue: -25293)

    /// No such keychain exists.
    ///
    /// The corresponding C constant is `errSecNoSuchKeychain`.
    package static let noSuchKeychain = SecurityStatus(rawValue: -25294)

    /// The file is not a keychain.
    ///
    /// The corresponding C constant is `errSecInvalidKeychain`.
    package static let invalidKeychain = SecurityStatus(rawValue: -25295)

    /// The item already exists.
    ///
    /// The corresponding C constant is `errSecDuplicateItem`.
    package static let duplicateItem = SecurityStatus(rawValue: -25299)

    /// Nothing matches the query.
    ///
    /// The corresponding C constant is `errSecItemNotFound`.
    package static let itemNotFound = SecurityStatus(rawValue: -25300)

    /// The data exceeds an item's limit.
    ///
    /// The corresponding C constant is `errSecDataTooLarge`.
    package static let dataTooLarge = SecurityStatus(rawValue: -25302)

    /// The class has no such attribute.
    ///
    /// The corresponding C constant is `errSecNoSuchAttr`.
    package static let noSuchAttribute = SecurityStatus(rawValue: -25303)

    /// The reference leads nowhere.
    ///
    /// The corresponding C constant is `errSecInvalidItemRef`.
    package static let invalidItemRef = SecurityStatus(rawValue: -25304)

    /// The key's bytes may not leave the keychain.
    ///
    /// The corresponding C constant is `errSecKeyIsSensitive`.
    package static let keyIsSensitive = SecurityStatus(rawValue: -25258)

    /// This format can be neither imported nor exported.
    ///
    /// The corresponding C constant is `errSecUnsupportedFormat`.
    package static let unsupportedFormat = SecurityStatus(rawValue: -25256)

    /// The format of what is imported is not recognized.
    ///
    /// The corresponding C constant is `errSecUnknownFormat`.
    package static let unknownFormat = SecurityStatus(rawValue: -25257)

    /// No such item class exists.
    ///
    /// The corresponding C constant is `errSecNoSuchClass`.
    package static let noSuchClass = SecurityStatus(rawValue: -25306)

    /// Locked, or a prompt is forbidden.
    ///
    /// The corresponding C constant is `errSecInteractionNotAllowed`.
    package static let interactionNotAllowed = SecurityStatus(rawValue: -25308)

    /// Keys of this size are refused.
    ///
    /// The corresponding C constant is `errSecKeySizeNotAllowed`.
    package static let keySizeNotAllowed = SecurityStatus(rawValue: -25311)

    /// A challenge must be met first; never leaves the engine.
    ///
    /// In Apple's logs: `errSecAuthNeeded`.
    package static let authNeeded = SecurityStatus(rawValue: -25330)

    /// Data cannot be decoded or decrypted.
    ///
    /// The corresponding C constant is `errSecDecode`.
    package static let decode = SecurityStatus(rawValue: -26275)

    /// An unexpected state.
    ///
    /// In Apple's logs: `errSecInternal`.
    package static let `internal` = SecurityStatus(rawValue: -26276)

    /// An entitlement is missing.
    ///
    /// The corresponding C constant is `errSecMissingEntitlement`.
    package static let missingEntitlement = SecurityStatus(rawValue: -34018)

    /// The database is being upgraded.
    ///
    /// In Apple's logs: `errSecUpgradePending`.
    package static let upgradePending = SecurityStatus(rawValue: -34019)

    /// The caller may not use the call.
    ///
    /// The corresponding C constant is `errSecRestrictedAPI`.
    package static let restrictedAPI = SecurityStatus(rawValue: -34020)

    /// A signature does not verify.
    ///
    /// The corresponding C constant is `errSecVerifyFailed`.
    package static let verifyFailed = SecurityStatus(rawValue: -67808)
}
