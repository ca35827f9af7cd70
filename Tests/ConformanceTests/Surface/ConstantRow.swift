import Security
import Testing

/// One of Apple's string constants and the value it has on Apple's platforms.
struct ConstantRow: Sendable, CustomTestStringConvertible {
    let name: String
    let value: String
    let expected: String

    init(_ name: String, _ constant: CFString, _ expected: String) {
        self.name = name
        self.value = constant as String
        self.expected = expected
    }

    var testDescription: String { name }
}

// The values are those that code with raw literals, dumps and fixtures rely on.
extension ConstantRow {
    static let all = [classes, accessibility, attributes, internet, keys, queries, imports]
        .flatMap { $0 }

    private static let imports: [ConstantRow] = [
        .init("kSecImportExportPassphrase", kSecImportExportPassphrase, "passphrase"),
        .init("kSecImportExportKeychain", kSecImportExportKeychain, "keychain"),
        .init("kSecImportExportAccess", kSecImportExportAccess, "access"),
        .init("kSecImportToMemoryOnly", kSecImportToMemoryOnly, "memory"),
        .init("kSecImportItemLabel", kSecImportItemLabel, "label"),
        .init("kSecImportItemKeyID", kSecImportItemKeyID, "keyid"),
        .init("kSecImportItemTrust", kSecImportItemTrust, "trust"),
        .init("kSecImportItemCertChain", kSecImportItemCertChain, "chain"),
        .init("kSecImportItemIdentity", kSecImportItemIdentity, "identity"),
    ]

    private static let accessibility: [ConstantRow] = [
        .init("kSecAttrAccessible", kSecAttrAccessible, "pdmn"),
        .init("kSecAttrAccessibleWhenUnlocked", kSecAttrAccessibleWhenUnlocked, "ak"),
        .init("kSecAttrAccessibleAfterFirstUnlock", kSecAttrAccessibleAfterFirstUnlock, "ck"),
        .init(
            "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
            kSecAttrAccessibleWhenUnlockedThisDeviceOnly,
            "aku"
        ),
        .init(
            "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly",
            kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            "cku"
        ),
        .init(
            "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly",
            kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly,
            "akpu"
        ),
    ]

    private static let attributes: [ConstantRow] = [
        .init("kSecAttrAccessControl", kSecAttrAccessControl, "accc"),
        .init("kSecAttrAccessGroup", kSecAttrAccessGroup, "agrp"),
        .init("kSecAttrAccessGroupToken", kSecAttrAccessGroupToken, "com.apple.token"),
        .init("kSecAttrAccess", kSecAttrAccess, "acls"),
        .init("kSecAttrSynchronizable", kSecAttrSynchronizable, "sync"),
        .init("kSecAttrSynchronizableAny", kSecAttrSynchronizableAny, "syna"),
        .init("kSecAttrSyncViewHint", kSecAttrSyncViewHint, "vwht"),
        .init("kSecAttrCreationDate", kSecAttrCreationDate, "cdat"),
        .init("kSecAttrModificationDate", kSecAttrModificationDate, "mdat"),
        .init("kSecAttrLabel", kSecAttrLabel, "labl"),
        .init("kSecAttrDescription", kSecAttrDescription, "desc"),
        .init("kSecAttrComment", kSecAttrComment, "icmt"),
        .init("kSecAttrCreator", kSecAttrCreator, "crtr"),
        .init("kSecAttrType", kSecAttrType, "type"),
        .init("kSecAttrIsInvisible", kSecAttrIsInvisible, "invi"),
        .init("kSecAttrIsNegative", kSecAttrIsNegative, "nega"),
        .init("kSecAttrTokenID", kSecAttrTokenID, "tkid"),
        .init("kSecAttrTokenIDSecureEnclave", kSecAttrTokenIDSecureEnclave, "com.apple.setoken"),
        .init("kSecAttrPersistentReference", kSecAttrPersistentReference, "persistref"),
        .init("kSecAttrPersistantReference", kSecAttrPersistantReference, "persistref"),
        .init("kSecAttrAccount", kSecAttrAccount, "acct"),
        .init("kSecAttrService", kSecAttrService, "svce"),
        .init("kSecAttrGeneric", kSecAttrGeneric, "gena"),
        .init("kSecAttrSecurityDomain", kSecAttrSecurityDomain, "sdmn"),
        .init("kSecAttrServer", kSecAttrServer, "srvr"),
        .init("kSecAttrProtocol", kSecAttrProtocol, "ptcl"),
        .init("kSecAttrAuthenticationType", kSecAttrAuthenticationType, "atyp"),
        .init("kSecAttrPort", kSecAttrPort, "port"),
        .init("kSecAttrPath", kSecAttrPath, "path"),
        .init("kSecAttrCertificateType", kSecAttrCertificateType, "ctyp"),
        .init("kSecAttrCertificateEncoding", kSecAttrCertificateEncoding, "cenc"),
        .init("kSecAttrSubject", kSecAttrSubject, "subj"),
        .init("kSecAttrIssuer", kSecAttrIssuer, "issr"),
        .init("kSecAttrSerialNumber", kSecAttrSerialNumber, "slnr"),
        .init("kSecAttrSubjectKeyID", kSecAttrSubjectKeyID, "skid"),
        .init("kSecAttrPublicKeyHash", kSecAttrPublicKeyHash, "pkhh"),
    ]

    private static let classes: [ConstantRow] = [
        .init("kSecClass", kSecClass, "class"),
        .init("kSecClassGenericPassword", kSecClassGenericPassword, "genp"),
        .init("kSecClassInternetPassword", kSecClassInternetPassword, "inet"),
        .init("kSecClassCertificate", kSecClassCertificate, "cert"),
        .init("kSecClassKey", kSecClassKey, "keys"),
        .init("kSecClassIdentity", kSecClassIdentity, "idnt"),
    ]

    private static let internet: [ConstantRow] = [
        .init("kSecAttrProtocolFTP", kSecAttrProtocolFTP, "ftp "),
        .init("kSecAttrProtocolFTPAccount", kSecAttrProtocolFTPAccount, "ftpa"),
        .init("kSecAttrProtocolHTTP", kSecAttrProtocolHTTP, "http"),
        .init("kSecAttrProtocolIRC", kSecAttrProtocolIRC, "irc "),
        .init("kSecAttrProtocolNNTP", kSecAttrProtocolNNTP, "nntp"),
        .init("kSecAttrProtocolPOP3", kSecAttrProtocolPOP3, "pop3"),
        .init("kSecAttrProtocolSMTP", kSecAttrProtocolSMTP, "smtp"),
        .init("kSecAttrProtocolSOCKS", kSecAttrProtocolSOCKS, "sox "),
        .init("kSecAttrProtocolIMAP", kSecAttrProtocolIMAP, "imap"),
        .init("kSecAttrProtocolLDAP", kSecAttrProtocolLDAP, "ldap"),
        .init("kSecAttrProtocolAppleTalk", kSecAttrProtocolAppleTalk, "atlk"),
        .init("kSecAttrProtocolAFP", kSecAttrProtocolAFP, "afp "),
        .init("kSecAttrProtocolTelnet", kSecAttrProtocolTelnet, "teln"),
        .init("kSecAttrProtocolSSH", kSecAttrProtocolSSH, "ssh "),
        .init("kSecAttrProtocolFTPS", kSecAttrProtocolFTPS, "ftps"),
        .init("kSecAttrProtocolHTTPS", kSecAttrProtocolHTTPS, "htps"),
        .init("kSecAttrProtocolHTTPProxy", kSecAttrProtocolHTTPProxy, "htpx"),
        .init("kSecAttrProtocolHTTPSProxy", kSecAttrProtocolHTTPSProxy, "htsx"),
        .init("kSecAttrProtocolFTPProxy", kSecAttrProtocolFTPProxy, "ftpx"),
        .init("kSecAttrProtocolSMB", kSecAttrProtocolSMB, "smb "),
        .init("kSecAttrProtocolRTSP", kSecAttrProtocolRTSP, "rtsp"),
        .init("kSecAttrProtocolRTSPProxy", kSecAttrProtocolRTSPProxy, "rtsx"),
        .init("kSecAttrProtocolDAAP", kSecAttrProtocolDAAP, "daap"),
        .init("kSecAttrProtocolEPPC", kSecAttrProtocolEPPC, "eppc"),
        .init("kSecAttrProtocolIPP", kSecAttrProtocolIPP, "ipp "),
        .init("kSecAttrProtocolNNTPS", kSecAttrProtocolNNTPS, "ntps"),
        .init("kSecAttrProtocolLDAPS", kSecAttrProtocolLDAPS, "ldps"),
        .init("kSecAttrProtocolTelnetS", kSecAttrProtocolTelnetS, "tels"),
        .init("kSecAttrProtocolIMAPS", kSecAttrProtocolIMAPS, "imps"),
        .init("kSecAttrProtocolIRCS", kSecAttrProtocolIRCS, "ircs"),
        .init("kSecAttrProtocolPOP3S", kSecAttrProtocolPOP3S, "pops"),
        .init("kSecAttrAuthenticationTypeNTLM", kSecAttrAuthenticationTypeNTLM, "ntlm"),
        .init("kSecAttrAuthenticationTypeMSN", kSecAttrAuthenticationTypeMSN, "msna"),
        .init("kSecAttrAuthenticationTypeDPA", kSecAttrAuthenticationTypeDPA, "dpaa"),
        .init("kSecAttrAuthenticationTypeRPA", kSecAttrAuthenticationTypeRPA, "rpaa"),
        .init("kSecAttrAuthenticationTypeHTTPBasic", kSecAttrAuthenticationTypeHTTPBasic, "http"),
        .init("kSecAttrAuthenticationTypeHTTPDigest", kSecAttrAuthenticationTypeHTTPDigest, "httd"),
        .init("kSecAttrAuthenticationTypeHTMLForm", kSecAttrAuthenticationTypeHTMLForm, "form"),
        .init("kSecAttrAuthenticationTypeDefault", kSecAttrAuthenticationTypeDefault, "dflt"),
    ]

    private static let keys: [ConstantRow] = [
        .init("kSecAttrKeyClass", kSecAttrKeyClass, "kcls"),
        .init("kSecAttrKeyClassPublic", kSecAttrKeyClassPublic, "0"),
        .init("kSecAttrKeyClassPrivate", kSecAttrKeyClassPrivate, "1"),
        .init("kSecAttrKeyClassSymmetric", kSecAttrKeyClassSymmetric, "2"),
        .init("kSecAttrApplicationLabel", kSecAttrApplicationLabel, "klbl"),
        .init("kSecAttrApplicationTag", kSecAttrApplicationTag, "atag"),
        .init("kSecAttrKeyType", kSecAttrKeyType, "type"),
        .init("kSecAttrKeySizeInBits", kSecAttrKeySizeInBits, "bsiz"),
        .init("kSecAttrEffectiveKeySize", kSecAttrEffectiveKeySize, "esiz"),
        .init("kSecAttrIsPermanent", kSecAttrIsPermanent, "perm"),
        .init("kSecAttrIsSensitive", kSecAttrIsSensitive, "sens"),
        .init("kSecAttrIsExtractable", kSecAttrIsExtractable, "extr"),
        .init("kSecAttrCanEncrypt", kSecAttrCanEncrypt, "encr"),
        .init("kSecAttrCanDecrypt", kSecAttrCanDecrypt, "decr"),
        .init("kSecAttrCanDerive", kSecAttrCanDerive, "drve"),
        .init("kSecAttrCanSign", kSecAttrCanSign, "sign"),
        .init("kSecAttrCanVerify", kSecAttrCanVerify, "vrfy"),
        .init("kSecAttrCanWrap", kSecAttrCanWrap, "wrap"),
        .init("kSecAttrCanUnwrap", kSecAttrCanUnwrap, "unwp"),
        .init("kSecAttrKeyTypeRSA", kSecAttrKeyTypeRSA, "42"),
        .init("kSecAttrKeyTypeECSECPrimeRandom", kSecAttrKeyTypeECSECPrimeRandom, "73"),
        .init("kSecAttrKeyTypeEC", kSecAttrKeyTypeEC, "73"),
        .init("kSecAttrKeyTypeECDSA", kSecAttrKeyTypeECDSA, "73"),
        .init("kSecAttrKeyTypeDSA", kSecAttrKeyTypeDSA, "43"),
        .init("kSecAttrKeyTypeAES", kSecAttrKeyTypeAES, "2147483649"),
        .init("kSecAttrKeyTypeDES", kSecAttrKeyTypeDES, "14"),
        .init("kSecAttrKeyType3DES", kSecAttrKeyType3DES, "17"),
        .init("kSecAttrKeyTypeRC4", kSecAttrKeyTypeRC4, "25"),
        .init("kSecAttrKeyTypeRC2", kSecAttrKeyTypeRC2, "23"),
        .init("kSecAttrKeyTypeCAST", kSecAttrKeyTypeCAST, "56"),
        .init("kSecPrivateKeyAttrs", kSecPrivateKeyAttrs, "private"),
        .init("kSecPublicKeyAttrs", kSecPublicKeyAttrs, "public"),
    ]

    private static let queries: [ConstantRow] = [
        .init("kSecMatchPolicy", kSecMatchPolicy, "m_Policy"),
        .init("kSecMatchItemList", kSecMatchItemList, "m_ItemList"),
        .init("kSecMatchSearchList", kSecMatchSearchList, "m_SearchList"),
        .init("kSecMatchIssuers", kSecMatchIssuers, "m_Issuers"),
        .init(
            "kSecMatchEmailAddressIfPresent",
            kSecMatchEmailAddressIfPresent,
            "m_EmailAddressIfPresent"
        ),
        .init("kSecMatchSubjectContains", kSecMatchSubjectContains, "m_SubjectContains"),
        .init("kSecMatchSubjectStartsWith", kSecMatchSubjectStartsWith, "m_SubjectStartsWith"),
        .init("kSecMatchSubjectEndsWith", kSecMatchSubjectEndsWith, "m_SubjectEndsWith"),
        .init("kSecMatchSubjectWholeString", kSecMatchSubjectWholeString, "m_SubjectWholeString"),
        .init("kSecMatchCaseInsensitive", kSecMatchCaseInsensitive, "m_CaseInsensitive"),
        .init(
            "kSecMatchDiacriticInsensitive",
            kSecMatchDiacriticInsensitive,
            "m_DiacriticInsensitive"
        ),
        .init("kSecMatchWidthInsensitive", kSecMatchWidthInsensitive, "m_WidthInsensitive"),
        .init("kSecMatchTrustedOnly", kSecMatchTrustedOnly, "m_TrustedOnly"),
        .init("kSecMatchValidOnDate", kSecMatchValidOnDate, "m_ValidOnDate"),
        .init("kSecMatchLimit", kSecMatchLimit, "m_Limit"),
        .init("kSecMatchLimitOne", kSecMatchLimitOne, "m_LimitOne"),
        .init("kSecMatchLimitAll", kSecMatchLimitAll, "m_LimitAll"),
        .init("kSecReturnData", kSecReturnData, "r_Data"),
        .init("kSecReturnAttributes", kSecReturnAttributes, "r_Attributes"),
        .init("kSecReturnRef", kSecReturnRef, "r_Ref"),
        .init("kSecReturnPersistentRef", kSecReturnPersistentRef, "r_PersistentRef"),
        .init("kSecValueData", kSecValueData, "v_Data"),
        .init("kSecValueRef", kSecValueRef, "v_Ref"),
        .init("kSecValuePersistentRef", kSecValuePersistentRef, "v_PersistentRef"),
        .init("kSecUseItemList", kSecUseItemList, "u_ItemList"),
        .init("kSecUseKeychain", kSecUseKeychain, "u_Keychain"),
        .init("kSecUseDataProtectionKeychain", kSecUseDataProtectionKeychain, "nleg"),
        .init(
            "kSecUseUserIndependentKeychain",
            kSecUseUserIndependentKeychain,
            "u_UserIndependentKeychain"
        ),
        .init("kSecUseAuthenticationContext", kSecUseAuthenticationContext, "u_AuthCtx"),
        .init("kSecUseAuthenticationUI", kSecUseAuthenticationUI, "u_AuthUI"),
        .init("kSecUseAuthenticationUISkip", kSecUseAuthenticationUISkip, "u_AuthUIS"),
        .init("kSecSharedPassword", kSecSharedPassword, "spwd"),
    ]
}
