// Generated from Tools/Statuses/statuses.tsv by generate.py: change the table instead.

extension SecurityStatus {
    /// The codes of certificate, revocation and account checks.
    static let trustRows: [Entry] = [
        .init(-67585, "ServiceNotAvailable", "The service this needs is not running."),
        .init(-67586, "InsufficientClientID", "The client identified itself insufficiently."),
        .init(-67587, "DeviceReset", "The device was reset in the meantime."),
        .init(-67588, "DeviceFailed", "The device failed."),
        .init(-67589, "AppleAddAppACLSubject", "The application could not be added to the list."),
        .init(-67590, "ApplePublicKeyIncomplete", "Part of the public key is missing."),
        .init(-67591, "AppleSignatureMismatch", "The signature belongs to other data."),
        .init(-67592, "AppleInvalidKeyStartDate", "The start date of the key is unusable."),
        .init(-67593, "AppleInvalidKeyEndDate", "The end date of the key is unusable."),
        .init(-67594, "ConversionError", "A value could not be converted."),
        .init(-67595, "AppleSSLv2Rollback", "The peer tried to fall back to SSL 2."),
        .init(-67596, "QuotaExceeded", "The quota is used up."),
        .init(-67597, "FileTooBig", "The file exceeds the size limit."),
        .init(-67598, "InvalidDatabaseBlob", "A stored database record is damaged."),
        .init(-67599, "InvalidKeyBlob", "A stored key record is damaged."),
        .init(-67600, "IncompatibleDatabaseBlob", "A database record has a foreign version."),
        .init(-67601, "IncompatibleKeyBlob", "A key record has a foreign version."),
        .init(-67602, "HostNameMismatch", "The certificate names another host."),
        .init(-67603, "UnknownCriticalExtensionFlag", "A critical extension is unknown."),
        .init(-67604, "NoBasicConstraints", "The basic constraints are absent."),
        .init(-67605, "NoBasicConstraintsCA", "Basic constraints do not mark an authority."),
        .init(-67606, "InvalidAuthorityKeyID", "The authority key identifier is wrong."),
        .init(-67607, "InvalidSubjectKeyID", "The subject key identifier is wrong."),
        .init(-67608, "InvalidKeyUsageForPolicy", "The policy forbids this key usage."),
        .init(-67609, "InvalidExtendedKeyUsage", "The extended key usage is wrong."),
        .init(-67610, "InvalidIDLinkage", "The identifiers in the chain do not link up."),
        .init(-67611, "PathLengthConstraintExceeded", "The chain is longer than its constraint."),
        .init(-67612, "InvalidRoot", "The root of the chain is unusable."),
        .init(-67613, "CRLExpired", "The revocation list is out of date."),
        .init(-67614, "CRLNotValidYet", "The revocation list is not valid yet."),
        .init(-67615, "CRLNotFound", "No revocation list could be found."),
        .init(-67616, "CRLServerDown", "The revocation list server does not answer."),
        .init(-67617, "CRLBadURI", "The address of the revocation list is wrong."),
        .init(-67618, "UnknownCertExtension", "A certificate extension is unknown."),
        .init(-67619, "UnknownCRLExtension", "A revocation list extension is unknown."),
        .init(-67620, "CRLNotTrusted", "No trusted issuer signed the revocation list."),
        .init(-67621, "CRLPolicyFailed", "The revocation list policy was not met."),
        .init(-67622, "IDPFailure", "The issuing distribution point does not match."),
        .init(-67623, "SMIMEEmailAddressesNotFound", "The mail address is not in the certificate."),
        .init(-67624, "SMIMEBadExtendedKeyUsage", "No extended key usage allows secure mail."),
        .init(-67625, "SMIMEBadKeyUsage", "The key usage does not allow secure mail."),
        .init(-67626, "SMIMEKeyUsageNotCritical", "Key usage for mail is not critical."),
        .init(-67627, "SMIMENoEmailAddress", "The certificate has no mail address."),
        .init(-67628, "SMIMESubjAltNameNotCritical", "The alternative name is not critical."),
        .init(-67629, "SSLBadExtendedKeyUsage", "No extended key usage allows TLS."),
        .init(-67630, "OCSPBadResponse", "The OCSP response is malformed."),
        .init(-67631, "OCSPBadRequest", "The OCSP request is malformed."),
        .init(-67632, "OCSPUnavailable", "No OCSP responder can be reached."),
        .init(
            -67633,
            "OCSPStatusUnrecognized",
            "The OCSP responder does not know the certificate."
        ),
        .init(-67634, "EndOfData", "There is no more data."),
        .init(-67635, "IncompleteCertRevocationCheck", "Revocation could be checked only in part."),
        .init(-67636, "NetworkFailure", "The network failed."),
        .init(-67637, "OCSPNotTrustedToAnchor", "The OCSP response leads to no trusted anchor."),
        .init(-67638, "RecordModified", "The record changed in the meantime."),
        .init(-67639, "OCSPSignatureError", "The signature of the OCSP response is wrong."),
        .init(-67640, "OCSPNoSigner", "The OCSP response has no signer."),
        .init(
            -67641,
            "OCSPResponderMalformedReq",
            "The OCSP responder could not read the request."
        ),
        .init(-67642, "OCSPResponderInternalError", "The OCSP responder failed."),
        .init(-67643, "OCSPResponderTryLater", "The OCSP responder is busy; try again later."),
        .init(
            -67644,
            "OCSPResponderSignatureRequired",
            "The OCSP responder accepts only signed requests."
        ),
        .init(-67645, "OCSPResponderUnauthorized", "The OCSP responder refused to answer."),
        .init(
            -67646,
            "OCSPResponseNonceMismatch",
            "The OCSP response has another nonce than the request."
        ),
        .init(
            -67647,
            "CodeSigningBadCertChainLength",
            "The code signing chain has a wrong length."
        ),
        .init(
            -67648,
            "CodeSigningNoBasicConstraints",
            "The signing chain lacks basic constraints."
        ),
        .init(
            -67649,
            "CodeSigningBadPathLengthConstraint",
            "The signing path constraint is wrong."
        ),
        .init(
            -67650,
            "CodeSigningNoExtendedKeyUsage",
            "No extended key usage allows code signing."
        ),
        .init(-67651, "CodeSigningDevelopment", "The code is signed for development only."),
        .init(-67652, "ResourceSignBadCertChainLength", "The resource chain has a wrong length."),
        .init(-67653, "ResourceSignBadExtKeyUsage", "The usage forbids resource signing."),
        .init(-67654, "TrustSettingDeny", "A trust setting denies this certificate."),
        .init(-67655, "InvalidSubjectName", "The subject name is unusable."),
        .init(-67656, "UnknownQualifiedCertStatement", "A qualified statement is unknown."),
        .init(-67657, "MobileMeRequestQueued", "The account request waits in a queue."),
        .init(-67658, "MobileMeRequestRedirected", "The account request was redirected."),
        .init(-67659, "MobileMeServerError", "The account server failed."),
        .init(-67660, "MobileMeServerNotAvailable", "The account server is not available."),
        .init(
            -67661,
            "MobileMeServerAlreadyExists",
            "The account server already has this account."
        ),
        .init(-67662, "MobileMeServerServiceErr", "A service of the account server failed."),
        .init(
            -67663,
            "MobileMeRequestAlreadyPending",
            "An account request is already in progress."
        ),
        .init(-67664, "MobileMeNoRequestPending", "No account request is in progress."),
        .init(-67665, "MobileMeCSRVerifyFailure", "The account's signing request fails its check."),
        .init(-67666, "MobileMeFailedConsistencyCheck", "The account data contradicts itself."),
    ]
}
