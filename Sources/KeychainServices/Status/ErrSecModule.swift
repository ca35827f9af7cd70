// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

import CoreFoundation

// The codes of cryptographic modules, handles and keys.

/// The module must be started first.
public let errSecNotInitialized: OSStatus = -67667
/// The handle belongs to another kind of service.
public let errSecInvalidHandleUsage: OSStatus = -67668
/// The calling module is not on the list.
public let errSecPVCReferentNotFound: OSStatus = -67669
/// A function lies outside its verified module.
public let errSecFunctionIntegrityFail: OSStatus = -67670
/// The module contradicts itself.
public let errSecInternalError: OSStatus = -67671
/// The module ran out of memory.
public let errSecMemoryError: OSStatus = -67672
/// The data is not valid.
public let errSecInvalidData: OSStatus = -67673
/// The module directory failed.
public let errSecMDSError: OSStatus = -67674
/// A pointer is not valid.
public let errSecInvalidPointer: OSStatus = -67675
/// The module failed its own check.
public let errSecSelfCheckFailed: OSStatus = -67676
/// The function failed.
public let errSecFunctionFailed: OSStatus = -67677
/// The module's manifest fails its check.
public let errSecModuleManifestVerifyFailed: OSStatus = -67678
/// The module's identifier is malformed.
public let errSecInvalidGUID: OSStatus = -67679
/// The handle is not open.
public let errSecInvalidHandle: OSStatus = -67680
/// The list of databases is malformed.
public let errSecInvalidDBList: OSStatus = -67681
/// There is no such pass-through function.
public let errSecInvalidPassthroughID: OSStatus = -67682
/// The network address is malformed.
public let errSecInvalidNetworkAddress: OSStatus = -67683
/// The revocation list is already signed.
public let errSecCRLAlreadySigned: OSStatus = -67684
/// The number of fields is wrong.
public let errSecInvalidNumberOfFields: OSStatus = -67685
/// The verification failed.
public let errSecVerificationFailure: OSStatus = -67686
/// The tag is not known.
public let errSecUnknownTag: OSStatus = -67687
/// The signature is malformed.
public let errSecInvalidSignature: OSStatus = -67688
/// The name is malformed.
public let errSecInvalidName: OSStatus = -67689
/// The reference is not to a certificate.
public let errSecInvalidCertificateRef: OSStatus = -67690
/// The group of certificates is malformed.
public let errSecInvalidCertificateGroup: OSStatus = -67691
/// The tag is missing.
public let errSecTagNotFound: OSStatus = -67692
/// The query is malformed.
public let errSecInvalidQuery: OSStatus = -67693
/// The value is out of bounds.
public let errSecInvalidValue: OSStatus = -67694
/// The callback reported a failure.
public let errSecCallbackFailed: OSStatus = -67695
/// No entry could be removed from the list.
public let errSecACLDeleteFailed: OSStatus = -67696
/// The list entry could not be replaced.
public let errSecACLReplaceFailed: OSStatus = -67697
/// No entry could be added to the list.
public let errSecACLAddFailed: OSStatus = -67698
/// The access control list could not be changed.
public let errSecACLChangeFailed: OSStatus = -67699
/// The access credentials are malformed.
public let errSecInvalidAccessCredentials: OSStatus = -67700
/// The record is malformed.
public let errSecInvalidRecord: OSStatus = -67701
/// The access control list is malformed.
public let errSecInvalidACL: OSStatus = -67702
/// The sample value is malformed.
public let errSecInvalidSampleValue: OSStatus = -67703
/// The versions are not compatible.
public let errSecIncompatibleVersion: OSStatus = -67704
/// The privilege was refused.
public let errSecPrivilegeNotGranted: OSStatus = -67705
/// The scope is out of bounds.
public let errSecInvalidScope: OSStatus = -67706
/// The pointer check is set up already.
public let errSecPVCAlreadyConfigured: OSStatus = -67707
/// The pointer check is malformed.
public let errSecInvalidPVC: OSStatus = -67708
/// The extra module manager did not load.
public let errSecEMMLoadFailed: OSStatus = -67709
/// The extra module manager did not unload.
public let errSecEMMUnloadFailed: OSStatus = -67710
/// The add-in did not load.
public let errSecAddinLoadFailed: OSStatus = -67711
/// The reference is not to a key.
public let errSecInvalidKeyRef: OSStatus = -67712
/// The hierarchy of keys is malformed.
public let errSecInvalidKeyHierarchy: OSStatus = -67713
/// The add-in did not unload.
public let errSecAddinUnloadFailed: OSStatus = -67714
/// The library is not referenced.
public let errSecLibraryReferenceNotFound: OSStatus = -67715
/// The add-in's function table is malformed.
public let errSecInvalidAddinFunctionTable: OSStatus = -67716
/// The service mask is malformed.
public let errSecInvalidServiceMask: OSStatus = -67717
/// The module has to be loaded first.
public let errSecModuleNotLoaded: OSStatus = -67718
/// There is no such subservice.
public let errSecInvalidSubServiceID: OSStatus = -67719
/// The context lacks the attribute.
public let errSecAttributeNotInContext: OSStatus = -67720
/// The module manager did not start.
public let errSecModuleManagerInitializeFailed: OSStatus = -67721
/// The module manager was not found.
public let errSecModuleManagerNotFound: OSStatus = -67722
/// No callback listens to this event.
public let errSecEventNotificationCallbackNotFound: OSStatus = -67723
/// The input has a wrong length.
public let errSecInputLengthError: OSStatus = -67724
/// The output has a wrong length.
public let errSecOutputLengthError: OSStatus = -67725
/// There is no such privilege.
public let errSecPrivilegeNotSupported: OSStatus = -67726
/// The device reported an error.
public let errSecDeviceError: OSStatus = -67727
/// The attached handle is in use.
public let errSecAttachHandleBusy: OSStatus = -67728
/// No user is logged in.
public let errSecNotLoggedIn: OSStatus = -67729
/// The algorithm does not match the key.
public let errSecAlgorithmMismatch: OSStatus = -67730
/// The key may not be used for this.
public let errSecKeyUsageIncorrect: OSStatus = -67731
/// The key record has the wrong type.
public let errSecKeyBlobTypeIncorrect: OSStatus = -67732
/// The key's header contradicts itself.
public let errSecKeyHeaderInconsistent: OSStatus = -67733
/// Keys of this format are not supported.
public let errSecUnsupportedKeyFormat: OSStatus = -67734
/// Keys of this size are not supported.
public let errSecUnsupportedKeySize: OSStatus = -67735
/// The key usage mask is malformed.
public let errSecInvalidKeyUsageMask: OSStatus = -67736
/// The key usage mask is not supported.
public let errSecUnsupportedKeyUsageMask: OSStatus = -67737
/// The key attribute mask is malformed.
public let errSecInvalidKeyAttributeMask: OSStatus = -67738
/// The key attribute mask is not supported.
public let errSecUnsupportedKeyAttributeMask: OSStatus = -67739
/// The key label is malformed.
public let errSecInvalidKeyLabel: OSStatus = -67740
/// The key label is not supported.
public let errSecUnsupportedKeyLabel: OSStatus = -67741
/// The key is malformed.
public let errSecInvalidKeyFormat: OSStatus = -67742
/// Several buffers at once are not supported.
public let errSecUnsupportedVectorOfBuffers: OSStatus = -67743
/// The list of input buffers is malformed.
public let errSecInvalidInputVector: OSStatus = -67744
/// The list of output buffers is malformed.
public let errSecInvalidOutputVector: OSStatus = -67745
/// The cryptographic context is malformed.
public let errSecInvalidContext: OSStatus = -67746
/// There is no such algorithm.
public let errSecInvalidAlgorithm: OSStatus = -67747
