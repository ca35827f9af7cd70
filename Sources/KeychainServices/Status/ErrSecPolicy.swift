// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

import CoreFoundation

// The codes of trust policies, data stores and time stamps.

/// Another staged operation is in progress.
public let errSecStagedOperationInProgress: OSStatus = -67806
/// The staged operation was not started.
public let errSecStagedOperationNotStarted: OSStatus = -67807
/// The signature or code does not verify.
public let errSecVerifyFailed: OSStatus = -67808
/// The size of the answer is not known beforehand.
public let errSecQuerySizeUnknown: OSStatus = -67809
/// The length is not a multiple of the block.
public let errSecBlockSizeMismatch: OSStatus = -67810
/// The public key contradicts its parameters.
public let errSecPublicKeyInconsistent: OSStatus = -67811
/// The device failed its verification.
public let errSecDeviceVerifyFailed: OSStatus = -67812
/// There is no such login name.
public let errSecInvalidLoginName: OSStatus = -67813
/// A user is already logged in.
public let errSecAlreadyLoggedIn: OSStatus = -67814
/// There is no such digest algorithm.
public let errSecInvalidDigestAlgorithm: OSStatus = -67815
/// The group of revocation lists is malformed.
public let errSecInvalidCRLGroup: OSStatus = -67816
/// The certificate cannot be used for this.
public let errSecCertificateCannotOperate: OSStatus = -67817
/// The certificate has expired.
public let errSecCertificateExpired: OSStatus = -67818
/// The certificate is not valid yet.
public let errSecCertificateNotValidYet: OSStatus = -67819
/// The issuer revoked the certificate.
public let errSecCertificateRevoked: OSStatus = -67820
/// The issuer put the certificate on hold.
public let errSecCertificateSuspended: OSStatus = -67821
/// The credentials are not sufficient.
public let errSecInsufficientCredentials: OSStatus = -67822
/// There is no such action.
public let errSecInvalidAction: OSStatus = -67823
/// The authority is not a valid one.
public let errSecInvalidAuthority: OSStatus = -67824
/// The action could not be verified.
public let errSecVerifyActionFailed: OSStatus = -67825
/// The certificate authority is not a valid one.
public let errSecInvalidCertAuthority: OSStatus = -67826
/// The revocation list has a wrong issuer.
public let errSecInvalidCRLAuthority: OSStatus = -67827
/// The same code under its older, misspelled name.
public let errSecInvaldCRLAuthority: OSStatus = -67827
/// The encoding of the revocation list is wrong.
public let errSecInvalidCRLEncoding: OSStatus = -67828
/// There is no such kind of revocation list.
public let errSecInvalidCRLType: OSStatus = -67829
/// The revocation list is malformed.
public let errSecInvalidCRL: OSStatus = -67830
/// There is no such kind of form.
public let errSecInvalidFormType: OSStatus = -67831
/// The identifier is not usable.
public let errSecInvalidID: OSStatus = -67832
/// The object identifier is malformed.
public let errSecInvalidIdentifier: OSStatus = -67833
/// The index is out of range.
public let errSecInvalidIndex: OSStatus = -67834
/// The policy identifiers are malformed.
public let errSecInvalidPolicyIdentifiers: OSStatus = -67835
/// The time is malformed.
public let errSecInvalidTimeString: OSStatus = -67836
/// There is no such reason.
public let errSecInvalidReason: OSStatus = -67837
/// The inputs of the request are malformed.
public let errSecInvalidRequestInputs: OSStatus = -67838
/// The list of responses is malformed.
public let errSecInvalidResponseVector: OSStatus = -67839
/// The stopping rule is malformed.
public let errSecInvalidStopOnPolicy: OSStatus = -67840
/// The tuple is malformed.
public let errSecInvalidTuple: OSStatus = -67841
/// Only a single value is supported here.
public let errSecMultipleValuesUnsupported: OSStatus = -67842
/// The certificate does not lead to a trusted root.
public let errSecNotTrusted: OSStatus = -67843
/// There is no default authority.
public let errSecNoDefaultAuthority: OSStatus = -67844
/// The form was rejected.
public let errSecRejectedForm: OSStatus = -67845
/// The request was lost.
public let errSecRequestLost: OSStatus = -67846
/// The request was rejected.
public let errSecRequestRejected: OSStatus = -67847
/// Addresses of this kind are not supported.
public let errSecUnsupportedAddressType: OSStatus = -67848
/// The service is not supported.
public let errSecUnsupportedService: OSStatus = -67849
/// The group of tuples is malformed.
public let errSecInvalidTupleGroup: OSStatus = -67850
/// The initial access control lists are malformed.
public let errSecInvalidBaseACLs: OSStatus = -67851
/// The tuple's credentials are malformed.
public let errSecInvalidTupleCredentials: OSStatus = -67852
/// The same code under its older, misspelled name.
public let errSecInvalidTupleCredendtials: OSStatus = -67852
/// The encoding is malformed.
public let errSecInvalidEncoding: OSStatus = -67853
/// The period of validity is malformed.
public let errSecInvalidValidityPeriod: OSStatus = -67854
/// The requestor is not a valid one.
public let errSecInvalidRequestor: OSStatus = -67855
/// The description of the request is malformed.
public let errSecRequestDescriptor: OSStatus = -67856
/// The bundle's information is malformed.
public let errSecInvalidBundleInfo: OSStatus = -67857
/// The revocation list has no such entry.
public let errSecInvalidCRLIndex: OSStatus = -67858
/// The fields hold no values.
public let errSecNoFieldValues: OSStatus = -67859
/// Fields of this format are not supported.
public let errSecUnsupportedFieldFormat: OSStatus = -67860
/// The index information is not supported.
public let errSecUnsupportedIndexInfo: OSStatus = -67861
/// The locality is not supported.
public let errSecUnsupportedLocality: OSStatus = -67862
/// This number of attributes is not supported.
public let errSecUnsupportedNumAttributes: OSStatus = -67863
/// This number of indexes is not supported.
public let errSecUnsupportedNumIndexes: OSStatus = -67864
/// This number of record types is not supported.
public let errSecUnsupportedNumRecordTypes: OSStatus = -67865
/// A field occurs more than once.
public let errSecFieldSpecifiedMultiple: OSStatus = -67866
/// The formats of the fields are not compatible.
public let errSecIncompatibleFieldFormat: OSStatus = -67867
/// The parsing module is not a valid one.
public let errSecInvalidParsingModule: OSStatus = -67868
/// The database has to be unlocked first.
public let errSecDatabaseLocked: OSStatus = -67869
/// The data store has to be closed first.
public let errSecDatastoreIsOpen: OSStatus = -67870
/// A value is missing.
public let errSecMissingValue: OSStatus = -67871
/// The limits of the query are not supported.
public let errSecUnsupportedQueryLimits: OSStatus = -67872
/// This number of predicates is not supported.
public let errSecUnsupportedNumSelectionPreds: OSStatus = -67873
/// The operator is not supported.
public let errSecUnsupportedOperator: OSStatus = -67874
/// There is no database at this place.
public let errSecInvalidDBLocation: OSStatus = -67875
/// The requested kind of access is unknown.
public let errSecInvalidAccessRequest: OSStatus = -67876
/// The index information is malformed.
public let errSecInvalidIndexInfo: OSStatus = -67877
/// The new owner is not a valid one.
public let errSecInvalidNewOwner: OSStatus = -67878
/// There is no such modification mode.
public let errSecInvalidModifyMode: OSStatus = -67879
/// A required extension is missing.
public let errSecMissingRequiredExtension: OSStatus = -67880
/// The extended key usage is not critical.
public let errSecExtendedKeyUsageNotCritical: OSStatus = -67881
/// The time stamp is missing.
public let errSecTimestampMissing: OSStatus = -67882
/// The time stamp is malformed.
public let errSecTimestampInvalid: OSStatus = -67883
/// No trusted issuer made the time stamp.
public let errSecTimestampNotTrusted: OSStatus = -67884
/// No time stamp service can be reached.
public let errSecTimestampServiceNotAvailable: OSStatus = -67885
/// The time stamp's algorithm is not supported.
public let errSecTimestampBadAlg: OSStatus = -67886
/// The time stamp service cannot read the request.
public let errSecTimestampBadRequest: OSStatus = -67887
/// The time stamp request is malformed.
public let errSecTimestampBadDataFormat: OSStatus = -67888
/// The time stamp service has no clock.
public let errSecTimestampTimeNotAvailable: OSStatus = -67889
/// The time stamp policy is not offered.
public let errSecTimestampUnacceptedPolicy: OSStatus = -67890
/// The time stamp extension is not offered.
public let errSecTimestampUnacceptedExtension: OSStatus = -67891
/// Further time stamp details are not offered.
public let errSecTimestampAddInfoNotAvailable: OSStatus = -67892
/// The time stamp service failed.
public let errSecTimestampSystemFailure: OSStatus = -67893
/// The time of signing is missing.
public let errSecSigningTimeMissing: OSStatus = -67894
/// The time stamp request was rejected.
public let errSecTimestampRejection: OSStatus = -67895
/// The time stamp is not ready yet.
public let errSecTimestampWaiting: OSStatus = -67896
/// The time stamp issuer is about to be revoked.
public let errSecTimestampRevocationWarning: OSStatus = -67897
/// The time stamp issuer was revoked.
public let errSecTimestampRevocationNotification: OSStatus = -67898
/// The certificate may not have this policy.
public let errSecCertificatePolicyNotAllowed: OSStatus = -67899
/// The certificate may not have this name.
public let errSecCertificateNameNotAllowed: OSStatus = -67900
/// The certificate is valid for too long.
public let errSecCertificateValidityPeriodTooLong: OSStatus = -67901
/// An authority's certificate is not allowed here.
public let errSecCertificateIsCA: OSStatus = -67902
/// The certificate repeats an extension.
public let errSecCertificateDuplicateExtension: OSStatus = -67903
/// A required qualified statement is missing.
public let errSecMissingQualifiedCertStatement: OSStatus = -67904
