import KeychainModel

// The keys and words of query dictionaries, by the product's names: `[.account: .string("ada")]`.
//
// What a test is not about the spelling of, it names. The spelling is held by the tables of
// `SchemaTests`, `KeyGrammarTests` and `ConstantTests`.

/// Attributes. Where an `Attribute` serves as well, as in a subscript, it is meant.
extension String {
    @_disfavoredOverload package static let accessControl = Attribute.accessControl.rawValue
    @_disfavoredOverload package static let accessGroup = Attribute.accessGroup.rawValue
    @_disfavoredOverload package static let accessible = Attribute.accessible.rawValue
    @_disfavoredOverload package static let creationDate = Attribute.creationDate.rawValue
    @_disfavoredOverload package static let modificationDate = Attribute.modificationDate.rawValue
    @_disfavoredOverload package static let label = Attribute.label.rawValue
    @_disfavoredOverload package static let synchronizable = Attribute.synchronizable.rawValue
    @_disfavoredOverload package static let tombstone = Attribute.tombstone.rawValue
    @_disfavoredOverload package static let digest = Attribute.digest.rawValue
    @_disfavoredOverload package static let syncViewHint = Attribute.syncViewHint.rawValue
    @_disfavoredOverload package static let tokenID = Attribute.tokenID.rawValue
    @_disfavoredOverload package static let multiUser = Attribute.multiUser.rawValue
    @_disfavoredOverload package static let uuid = Attribute.uuid.rawValue
    @_disfavoredOverload package static let appClipItem = Attribute.appClipItem.rawValue
    @_disfavoredOverload package static let sharingGroup = Attribute.sharingGroup.rawValue
    @_disfavoredOverload package static let systemBound = Attribute.systemBound.rawValue
    @_disfavoredOverload package static let alias = Attribute.alias.rawValue
    @_disfavoredOverload package static let lookupPairs = Attribute.lookupPairs.rawValue
    @_disfavoredOverload package static let account = Attribute.account.rawValue
    @_disfavoredOverload package static let service = Attribute.service.rawValue
    @_disfavoredOverload package static let generic = Attribute.generic.rawValue
    @_disfavoredOverload package static let description = Attribute.description.rawValue
    @_disfavoredOverload package static let comment = Attribute.comment.rawValue
    @_disfavoredOverload package static let creator = Attribute.creator.rawValue
    @_disfavoredOverload package static let type = Attribute.type.rawValue
    @_disfavoredOverload package static let scriptCode = Attribute.scriptCode.rawValue
    @_disfavoredOverload package static let isInvisible = Attribute.isInvisible.rawValue
    @_disfavoredOverload package static let isNegative = Attribute.isNegative.rawValue
    @_disfavoredOverload package static let hasCustomIcon = Attribute.hasCustomIcon.rawValue
    @_disfavoredOverload package static let protected = Attribute.protected.rawValue
    @_disfavoredOverload package static let securityDomain = Attribute.securityDomain.rawValue
    @_disfavoredOverload package static let server = Attribute.server.rawValue
    @_disfavoredOverload package static let protocolName = Attribute.protocolName.rawValue
    @_disfavoredOverload package static let authenticationType = Attribute.authenticationType
        .rawValue
    @_disfavoredOverload package static let port = Attribute.port.rawValue
    @_disfavoredOverload package static let path = Attribute.path.rawValue
    @_disfavoredOverload package static let certificateType = Attribute.certificateType.rawValue
    @_disfavoredOverload package static let certificateEncoding = Attribute.certificateEncoding
        .rawValue
    @_disfavoredOverload package static let subject = Attribute.subject.rawValue
    @_disfavoredOverload package static let issuer = Attribute.issuer.rawValue
    @_disfavoredOverload package static let serialNumber = Attribute.serialNumber.rawValue
    @_disfavoredOverload package static let subjectKeyID = Attribute.subjectKeyID.rawValue
    @_disfavoredOverload package static let publicKeyHash = Attribute.publicKeyHash.rawValue
    @_disfavoredOverload package static let keyClass = Attribute.keyClass.rawValue
    @_disfavoredOverload package static let applicationLabel = Attribute.applicationLabel.rawValue
    @_disfavoredOverload package static let applicationTag = Attribute.applicationTag.rawValue
    @_disfavoredOverload package static let keySizeInBits = Attribute.keySizeInBits.rawValue
    @_disfavoredOverload package static let effectiveKeySize = Attribute.effectiveKeySize.rawValue
    @_disfavoredOverload package static let startDate = Attribute.startDate.rawValue
    @_disfavoredOverload package static let endDate = Attribute.endDate.rawValue
    @_disfavoredOverload package static let isPermanent = Attribute.isPermanent.rawValue
    @_disfavoredOverload package static let isPrivate = Attribute.isPrivate.rawValue
    @_disfavoredOverload package static let isModifiable = Attribute.isModifiable.rawValue
    @_disfavoredOverload package static let isSensitive = Attribute.isSensitive.rawValue
    @_disfavoredOverload package static let wasAlwaysSensitive = Attribute.wasAlwaysSensitive
        .rawValue
    @_disfavoredOverload package static let isExtractable = Attribute.isExtractable.rawValue
    @_disfavoredOverload package static let wasNeverExtractable = Attribute.wasNeverExtractable
        .rawValue
    @_disfavoredOverload package static let canEncrypt = Attribute.canEncrypt.rawValue
    @_disfavoredOverload package static let canDecrypt = Attribute.canDecrypt.rawValue
    @_disfavoredOverload package static let canDerive = Attribute.canDerive.rawValue
    @_disfavoredOverload package static let canSign = Attribute.canSign.rawValue
    @_disfavoredOverload package static let canVerify = Attribute.canVerify.rawValue
    @_disfavoredOverload package static let canSignRecover = Attribute.canSignRecover.rawValue
    @_disfavoredOverload package static let canVerifyRecover = Attribute.canVerifyRecover.rawValue
    @_disfavoredOverload package static let canWrap = Attribute.canWrap.rawValue
    @_disfavoredOverload package static let canUnwrap = Attribute.canUnwrap.rawValue
}

/// Item classes, the values of `itemClass`.
extension String {
    package static let genericPassword = ItemClass.genericPassword.rawValue
    package static let internetPassword = ItemClass.internetPassword.rawValue
    package static let certificate = ItemClass.certificate.rawValue
    package static let key = ItemClass.key.rawValue
    package static let identity = ItemClass.identity.rawValue
}

/// Protection classes, the values of `accessible`.
extension String {
    package static let whenPasscodeSetThisDeviceOnly = ProtectionClass.whenPasscodeSetThisDeviceOnly
        .code
    package static let whenUnlockedThisDeviceOnly = ProtectionClass.whenUnlockedThisDeviceOnly.code
    package static let whenUnlocked = ProtectionClass.whenUnlocked.code
    package static let afterFirstUnlockThisDeviceOnly = ProtectionClass
        .afterFirstUnlockThisDeviceOnly.code
    package static let afterFirstUnlock = ProtectionClass.afterFirstUnlock.code
    package static let alwaysThisDeviceOnly = ProtectionClass.alwaysThisDeviceOnly.code
    package static let always = ProtectionClass.always.code
}

/// Every other key.
extension String {
    package static let itemClass = QueryKey.itemClass.rawValue
    package static let noLegacy = QueryKey.noLegacy.rawValue
    package static let matchPolicy = QueryKey.matchPolicy.rawValue
    package static let matchItemList = QueryKey.matchItemList.rawValue
    package static let matchSearchList = QueryKey.matchSearchList.rawValue
    package static let matchIssuers = QueryKey.matchIssuers.rawValue
    package static let matchEmailAddress = QueryKey.matchEmailAddress.rawValue
    package static let matchSubjectContains = QueryKey.matchSubjectContains.rawValue
    package static let matchHostOrSubdomain = QueryKey.matchHostOrSubdomain.rawValue
    package static let matchCaseInsensitive = QueryKey.matchCaseInsensitive.rawValue
    package static let matchTrustedOnly = QueryKey.matchTrustedOnly.rawValue
    package static let matchValidOnDate = QueryKey.matchValidOnDate.rawValue
    package static let matchLimit = QueryKey.matchLimit.rawValue
    package static let returnData = QueryKey.returnData.rawValue
    package static let returnAttributes = QueryKey.returnAttributes.rawValue
    package static let returnReference = QueryKey.returnReference.rawValue
    package static let returnPersistentReference = QueryKey.returnPersistentReference.rawValue
    package static let valueData = QueryKey.valueData.rawValue
    package static let valueReference = QueryKey.valueReference.rawValue
    package static let valuePersistentReference = QueryKey.valuePersistentReference.rawValue
    package static let useItemList = QueryKey.useItemList.rawValue
    package static let useTombstones = QueryKey.useTombstones.rawValue
    package static let useCredentialReference = QueryKey.useCredentialReference.rawValue
    package static let useOperationPrompt = QueryKey.useOperationPrompt.rawValue
    package static let useNoAuthenticationUI = QueryKey.useNoAuthenticationUI.rawValue
    package static let useAuthenticationUI = QueryKey.useAuthenticationUI.rawValue
    package static let useAuthenticationContext = QueryKey.useAuthenticationContext.rawValue
}

/// Words that are values of keys.
extension String {
    package static let limitOne = QueryKey.Word.limitOne
    package static let limitAll = QueryKey.Word.limitAll
    package static let synchronizableAny = QueryKey.Word.synchronizableAny
    package static let interfaceAllow = QueryKey.Word.interfaceAllow
    package static let interfaceFail = QueryKey.Word.interfaceFail
    package static let interfaceSkip = QueryKey.Word.interfaceSkip
}
