// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

import CoreFoundation

// The codes of certificate, revocation and account checks.

/// The service this needs is not running.
public let errSecServiceNotAvailable: OSStatus = -67585
/// The client identified itself insufficiently.
public let errSecInsufficientClientID: OSStatus = -67586
/// The device was reset in the meantime.
public let errSecDeviceReset: OSStatus = -67587
/// The device failed.
public let errSecDeviceFailed: OSStatus = -67588
/// The application could not be added to the list.
public let errSecAppleAddAppACLSubject: OSStatus = -67589
/// Part of the public key is missing.
public let errSecApplePublicKeyIncomplete: OSStatus = -67590
/// The signature belongs to other data.
public let errSecAppleSignatureMismatch: OSStatus = -67591
/// The start date of the key is unusable.
public let errSecAppleInvalidKeyStartDate: OSStatus = -67592
/// The end date of the key is unusable.
public let errSecAppleInvalidKeyEndDate: OSStatus = -67593
/// A value could not be converted.
public let errSecConversionError: OSStatus = -67594
/// The peer tried to fall back to SSL 2.
public let errSecAppleSSLv2Rollback: OSStatus = -67595
/// The quota is used up.
public let errSecQuotaExceeded: OSStatus = -67596
/// The file exceeds the size limit.
public let errSecFileTooBig: OSStatus = -67597
/// A stored database record is damaged.
public let errSecInvalidDatabaseBlob: OSStatus = -67598
/// A stored key record is damaged.
public let errSecInvalidKeyBlob: OSStatus = -67599
/// A database record has a foreign version.
public let errSecIncompatibleDatabaseBlob: OSStatus = -67600
/// A key record has a foreign version.
public let errSecIncompatibleKeyBlob: OSStatus = -67601
/// The certificate names another host.
public let errSecHostNameMismatch: OSStatus = -67602
/// A critical extension is unknown.
public let errSecUnknownCriticalExtensionFlag: OSStatus = -67603
/// The basic constraints are absent.
public let errSecNoBasicConstraints: OSStatus = -67604
/// Basic constraints do not mark an authority.
public let errSecNoBasicConstraintsCA: OSStatus = -67605
/// The authority key identifier is wrong.
public let errSecInvalidAuthorityKeyID: OSStatus = -67606
/// The subject key identifier is wrong.
public let errSecInvalidSubjectKeyID: OSStatus = -67607
/// The policy forbids this key usage.
public let errSecInvalidKeyUsageForPolicy: OSStatus = -67608
/// The extended key usage is wrong.
public let errSecInvalidExtendedKeyUsage: OSStatus = -67609
/// The identifiers in the chain do not link up.
public let errSecInvalidIDLinkage: OSStatus = -67610
/// The chain is longer than its constraint.
public let errSecPathLengthConstraintExceeded: OSStatus = -67611
/// The root of the chain is unusable.
public let errSecInvalidRoot: OSStatus = -67612
/// The revocation list is out of date.
public let errSecCRLExpired: OSStatus = -67613
/// The revocation list is not valid yet.
public let errSecCRLNotValidYet: OSStatus = -67614
/// No revocation list could be found.
public let errSecCRLNotFound: OSStatus = -67615
/// The revocation list server does not answer.
public let errSecCRLServerDown: OSStatus = -67616
/// The address of the revocation list is wrong.
public let errSecCRLBadURI: OSStatus = -67617
/// A certificate extension is unknown.
public let errSecUnknownCertExtension: OSStatus = -67618
/// A revocation list extension is unknown.
public let errSecUnknownCRLExtension: OSStatus = -67619
/// No trusted issuer signed the revocation list.
public let errSecCRLNotTrusted: OSStatus = -67620
/// The revocation list policy was not met.
public let errSecCRLPolicyFailed: OSStatus = -67621
/// The issuing distribution point does not match.
public let errSecIDPFailure: OSStatus = -67622
/// The mail address is not in the certificate.
public let errSecSMIMEEmailAddressesNotFound: OSStatus = -67623
/// No extended key usage allows secure mail.
public let errSecSMIMEBadExtendedKeyUsage: OSStatus = -67624
/// The key usage does not allow secure mail.
public let errSecSMIMEBadKeyUsage: OSStatus = -67625
/// Key usage for mail is not critical.
public let errSecSMIMEKeyUsageNotCritical: OSStatus = -67626
/// The certificate has no mail address.
public let errSecSMIMENoEmailAddress: OSStatus = -67627
/// The alternative name is not critical.
public let errSecSMIMESubjAltNameNotCritical: OSStatus = -67628
/// No extended key usage allows TLS.
public let errSecSSLBadExtendedKeyUsage: OSStatus = -67629
/// The OCSP response is malformed.
public let errSecOCSPBadResponse: OSStatus = -67630
/// The OCSP request is malformed.
public let errSecOCSPBadRequest: OSStatus = -67631
/// No OCSP responder can be reached.
public let errSecOCSPUnavailable: OSStatus = -67632
/// The OCSP responder does not know the certificate.
public let errSecOCSPStatusUnrecognized: OSStatus = -67633
/// There is no more data.
public let errSecEndOfData: OSStatus = -67634
/// Revocation could be checked only in part.
public let errSecIncompleteCertRevocationCheck: OSStatus = -67635
/// The network failed.
public let errSecNetworkFailure: OSStatus = -67636
/// The OCSP response leads to no trusted anchor.
public let errSecOCSPNotTrustedToAnchor: OSStatus = -67637
/// The record changed in the meantime.
public let errSecRecordModified: OSStatus = -67638
/// The signature of the OCSP response is wrong.
public let errSecOCSPSignatureError: OSStatus = -67639
/// The OCSP response has no signer.
public let errSecOCSPNoSigner: OSStatus = -67640
/// The OCSP responder could not read the request.
public let errSecOCSPResponderMalformedReq: OSStatus = -67641
/// The OCSP responder failed.
public let errSecOCSPResponderInternalError: OSStatus = -67642
/// The OCSP responder is busy; try again later.
public let errSecOCSPResponderTryLater: OSStatus = -67643
/// The OCSP responder accepts only signed requests.
public let errSecOCSPResponderSignatureRequired: OSStatus = -67644
/// The OCSP responder refused to answer.
public let errSecOCSPResponderUnauthorized: OSStatus = -67645
/// The OCSP response has another nonce than the request.
public let errSecOCSPResponseNonceMismatch: OSStatus = -67646
/// The code signing chain has a wrong length.
public let errSecCodeSigningBadCertChainLength: OSStatus = -67647
/// The signing chain lacks basic constraints.
public let errSecCodeSigningNoBasicConstraints: OSStatus = -67648
/// The signing path constraint is wrong.
public let errSecCodeSigningBadPathLengthConstraint: OSStatus = -67649
/// No extended key usage allows code signing.
public let errSecCodeSigningNoExtendedKeyUsage: OSStatus = -67650
/// The code is signed for development only.
public let errSecCodeSigningDevelopment: OSStatus = -67651
/// The resource chain has a wrong length.
public let errSecResourceSignBadCertChainLength: OSStatus = -67652
/// The usage forbids resource signing.
public let errSecResourceSignBadExtKeyUsage: OSStatus = -67653
/// A trust setting denies this certificate.
public let errSecTrustSettingDeny: OSStatus = -67654
/// The subject name is unusable.
public let errSecInvalidSubjectName: OSStatus = -67655
/// A qualified statement is unknown.
public let errSecUnknownQualifiedCertStatement: OSStatus = -67656
/// The account request waits in a queue.
public let errSecMobileMeRequestQueued: OSStatus = -67657
/// The account request was redirected.
public let errSecMobileMeRequestRedirected: OSStatus = -67658
/// The account server failed.
public let errSecMobileMeServerError: OSStatus = -67659
/// The account server is not available.
public let errSecMobileMeServerNotAvailable: OSStatus = -67660
/// The account server already has this account.
public let errSecMobileMeServerAlreadyExists: OSStatus = -67661
/// A service of the account server failed.
public let errSecMobileMeServerServiceErr: OSStatus = -67662
/// An account request is already in progress.
public let errSecMobileMeRequestAlreadyPending: OSStatus = -67663
/// No account request is in progress.
public let errSecMobileMeNoRequestPending: OSStatus = -67664
/// The account's signing request fails its check.
public let errSecMobileMeCSRVerifyFailure: OSStatus = -67665
/// The account data contradicts itself.
public let errSecMobileMeFailedConsistencyCheck: OSStatus = -67666
