// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

import CoreFoundation

// The codes of keychain items, keychain files, import and export.

/// The operation succeeded.
public let errSecSuccess: OSStatus = 0
/// This operation is not available here.
public let errSecUnimplemented: OSStatus = -4
/// There is no room left on the disk.
public let errSecDiskFull: OSStatus = -34
/// The same code under its older name.
@available(*, deprecated, renamed: "errSecDiskFull")
public let errSecDskFull: OSStatus = -34
/// Reading from or writing to the disk failed.
public let errSecIO: OSStatus = -36
/// The file is already open for writing.
public let errSecOpWr: OSStatus = -49
/// A parameter is missing, malformed or not allowed here.
public let errSecParam: OSStatus = -50
/// Permission to write was refused.
public let errSecWrPerm: OSStatus = -61
/// There is not enough memory.
public let errSecAllocate: OSStatus = -108
/// The user canceled the request.
public let errSecUserCanceled: OSStatus = -128
/// The request does not fit the current state.
public let errSecBadReq: OSStatus = -909
/// A component of the keychain failed.
public let errSecInternalComponent: OSStatus = -2070
/// A system framework reported an unknown problem.
public let errSecCoreFoundationUnknown: OSStatus = -4960
/// The access control list is not of the simple form.
public let errSecACLNotSimple: OSStatus = -25240
/// There is no such policy.
public let errSecPolicyNotFound: OSStatus = -25241
/// This trust setting is not valid.
public let errSecInvalidTrustSetting: OSStatus = -25242
/// The item has no access control.
public let errSecNoAccessForItem: OSStatus = -25243
/// The owner of this item cannot be changed that way.
public let errSecInvalidOwnerEdit: OSStatus = -25244
/// Trust has not been evaluated yet.
public let errSecTrustNotAvailable: OSStatus = -25245
/// This format can be neither imported nor exported.
public let errSecUnsupportedFormat: OSStatus = -25256
/// The format of the imported data is not recognized.
public let errSecUnknownFormat: OSStatus = -25257
/// The key may leave the keychain only in wrapped form.
public let errSecKeyIsSensitive: OSStatus = -25258
/// The import contains more than one private key.
public let errSecMultiplePrivKeys: OSStatus = -25259
/// Importing or exporting this needs a passphrase.
public let errSecPassphraseRequired: OSStatus = -25260
/// The password reference is not usable.
public let errSecInvalidPasswordRef: OSStatus = -25261
/// The stored trust settings are damaged.
public let errSecInvalidTrustSettings: OSStatus = -25262
/// No trust settings are stored.
public let errSecNoTrustSettings: OSStatus = -25263
/// The PKCS #12 data fails its check; the passphrase may be wrong.
public let errSecPkcs12VerifyFailure: OSStatus = -25264
/// The keychain is not available.
public let errSecNotAvailable: OSStatus = -25291
/// The keychain is open for reading only.
public let errSecReadOnly: OSStatus = -25292
/// Authentication failed.
public let errSecAuthFailed: OSStatus = -25293
/// There is no such keychain.
public let errSecNoSuchKeychain: OSStatus = -25294
/// The file is not a valid keychain.
public let errSecInvalidKeychain: OSStatus = -25295
/// A keychain of that name exists already.
public let errSecDuplicateKeychain: OSStatus = -25296
/// That callback is registered already.
public let errSecDuplicateCallback: OSStatus = -25297
/// That callback is not registered.
public let errSecInvalidCallback: OSStatus = -25298
/// An item with the same primary key exists already.
public let errSecDuplicateItem: OSStatus = -25299
/// No item matches the query.
public let errSecItemNotFound: OSStatus = -25300
/// The buffer is too small for the item.
public let errSecBufferTooSmall: OSStatus = -25301
/// The data is larger than an item may hold.
public let errSecDataTooLarge: OSStatus = -25302
/// Items of this class have no such attribute.
public let errSecNoSuchAttr: OSStatus = -25303
/// The referenced item no longer exists.
public let errSecInvalidItemRef: OSStatus = -25304
/// The search reference is not usable.
public let errSecInvalidSearchRef: OSStatus = -25305
/// There is no such item class.
public let errSecNoSuchClass: OSStatus = -25306
/// There is no default keychain.
public let errSecNoDefaultKeychain: OSStatus = -25307
/// The device is locked, or the call needs a prompt that cannot appear or is forbidden.
public let errSecInteractionNotAllowed: OSStatus = -25308
/// This attribute cannot be set.
public let errSecReadOnlyAttr: OSStatus = -25309
/// The keychain was written by an incompatible version.
public let errSecWrongSecVersion: OSStatus = -25310
/// Keys of this size are not allowed.
public let errSecKeySizeNotAllowed: OSStatus = -25311
/// The storage module could not be loaded.
public let errSecNoStorageModule: OSStatus = -25312
/// The certificate module could not be loaded.
public let errSecNoCertificateModule: OSStatus = -25313
/// The policy module could not be loaded.
public let errSecNoPolicyModule: OSStatus = -25314
/// The call needs a prompt, and prompts are not allowed now.
public let errSecInteractionRequired: OSStatus = -25315
/// The data of this item is not available.
public let errSecDataNotAvailable: OSStatus = -25316
/// The data of this item cannot be changed.
public let errSecDataNotModifiable: OSStatus = -25317
/// No complete certificate chain could be built.
public let errSecCreateChainFailed: OSStatus = -25318
/// There is no such preferences domain.
public let errSecInvalidPrefsDomain: OSStatus = -25319
/// The machine is awake without a screen, so no prompt can be shown.
public let errSecInDarkWake: OSStatus = -25320
/// The expected issuer did not sign this certificate.
public let errSecNotSigner: OSStatus = -26267
/// The data could not be decoded.
public let errSecDecode: OSStatus = -26275
/// The caller lacks an entitlement for this.
public let errSecMissingEntitlement: OSStatus = -34018
/// The caller may not use this function.
public let errSecRestrictedAPI: OSStatus = -34020
