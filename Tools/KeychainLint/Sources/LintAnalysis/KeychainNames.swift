/// ★ Names of the keychain's interface.
package enum KeychainNames {
    /// The roles of the dictionaries of each call.
    static let verbs: [String: [QueryUse.Role]] = [
        "SecItemAdd": [.add], "SecItemCopyMatching": [.copy], "SecItemDelete": [.delete],
        "SecItemUpdate": [.updateQuery, .updateValues], "SecKeyCreateRandomKey": [.generate],
        "SecKeyGeneratePair": [.generate], "SecKeyCreateWithData": [.other, .createKey],
        "SecPKCS12Import": [.other, .importOptions],
    ]

    /// The names of keys by their text.
    static let rawKeys: [String: String] = [
        "class": "kSecClass", "svce": "kSecAttrService", "acct": "kSecAttrAccount",
        "srvr": "kSecAttrServer", "ptcl": "kSecAttrProtocol", "port": "kSecAttrPort",
        "path": "kSecAttrPath", "sdmn": "kSecAttrSecurityDomain",
        "atyp": "kSecAttrAuthenticationType", "pdmn": "kSecAttrAccessible",
        "agrp": "kSecAttrAccessGroup", "sync": "kSecAttrSynchronizable", "labl": "kSecAttrLabel",
        "desc": "kSecAttrDescription", "icmt": "kSecAttrComment", "gena": "kSecAttrGeneric",
        "v_Data": "kSecValueData", "v_Ref": "kSecValueRef", "r_Data": "kSecReturnData",
        "r_Attributes": "kSecReturnAttributes", "r_Ref": "kSecReturnRef",
        "r_PersistentRef": "kSecReturnPersistentRef", "m_Limit": "kSecMatchLimit",
    ]

    /// The names of classes by their text.
    static let rawClasses: [String: String] = [
        "genp": "kSecClassGenericPassword", "inet": "kSecClassInternetPassword",
        "cert": "kSecClassCertificate", "keys": "kSecClassKey", "idnt": "kSecClassIdentity",
    ]

    package static let returnKeys = [
        "kSecReturnData", "kSecReturnAttributes", "kSecReturnRef", "kSecReturnPersistentRef",
    ]

    package static let references = [
        "kSecValueRef", "kSecValuePersistentRef", "kSecMatchItemList", "kSecUseItemList",
    ]

    /// The modern names of flags by their other names.
    package static let flags: [String: String] = [
        "touchIDAny": "biometryAny", "touchIDCurrentSet": "biometryCurrentSet",
        "kSecAccessControlUserPresence": "userPresence",
        "kSecAccessControlBiometryAny": "biometryAny",
        "kSecAccessControlTouchIDAny": "biometryAny",
        "kSecAccessControlBiometryCurrentSet": "biometryCurrentSet",
        "kSecAccessControlTouchIDCurrentSet": "biometryCurrentSet",
        "kSecAccessControlDevicePasscode": "devicePasscode", "kSecAccessControlOr": "or",
        "kSecAccessControlAnd": "and", "kSecAccessControlPrivateKeyUsage": "privateKeyUsage",
        "kSecAccessControlApplicationPassword": "applicationPassword",
    ]

    package static let deprecatedClasses: Set<String> = [
        "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly",
    ]

    package static let whenUnlocked: Set<String> = [
        "kSecAttrAccessibleWhenUnlocked", "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
    ]

    package static let whenPasscodeSet = "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly"

    /// Names of statuses by number.
    static let statuses: [Int: String] = [
        0: "errSecSuccess", -25300: "errSecItemNotFound", -25299: "errSecDuplicateItem",
        -25308: "errSecInteractionNotAllowed", -25293: "errSecAuthFailed", -50: "errSecParam",
        -34018: "errSecMissingEntitlement", -128: "errSecUserCanceled",
    ]

    /// Returns the name of the status that an expression spells.
    ///
    /// It can be a constant, a number, or the member of an enumeration with a similar name.
    static func status(_ text: String) -> String? {
        let clean = text.filter { !$0.isWhitespace }
        if let number = Int(clean) { return statuses[number] }
        if clean.hasPrefix("OSStatus("), clean.hasSuffix(")") {
            return status(String(clean.dropFirst(9).dropLast()))
        }
        let name = clean.split(separator: ".").last { $0 != "rawValue" && $0 != "code" } ?? ""
        if name == "noErr" || name == "kOSReturnSuccess" { return "errSecSuccess" }
        if name.hasPrefix("errSec") || name.hasPrefix("errAuthorization") { return String(name) }
        guard clean.contains(".") else { return nil }
        switch name.lowercased() {
        case "success", "ok": return "errSecSuccess"
        case "itemnotfound", "notfound": return "errSecItemNotFound"
        case "duplicateitem", "duplicate": return "errSecDuplicateItem"
        case "interactionnotallowed": return "errSecInteractionNotAllowed"
        default: return nil
        }
    }

    /// Returns the attributes that identify an item of a class.
    package static func primaryKey(of itemClass: ItemClass) -> [String] {
        switch itemClass {
        case .genericPassword: ["kSecAttrService", "kSecAttrAccount"]
        case .internetPassword:
            [
                "kSecAttrServer", "kSecAttrAccount", "kSecAttrSecurityDomain", "kSecAttrProtocol",
                "kSecAttrAuthenticationType", "kSecAttrPort", "kSecAttrPath",
            ]
        case .key:
            [
                "kSecAttrApplicationTag", "kSecAttrApplicationLabel", "kSecAttrKeyClass",
                "kSecAttrKeyType", "kSecAttrKeySizeInBits",
            ]
        case .certificate:
            ["kSecAttrCertificateType", "kSecAttrIssuer", "kSecAttrSerialNumber"]
        case .identity: []
        }
    }

    private static let common: Set<String> = [
        "kSecAttrAccessible", "kSecAttrAccessControl", "kSecAttrAccessGroup", "kSecAttrLabel",
        "kSecAttrSynchronizable", "kSecAttrTokenID", "kSecAttrPersistentReference",
        "kSecAttrPersistantReference", "kSecAttrAccess", "kSecAttrSyncViewHint",
    ]

    private static let password: Set<String> = common.union([
        "kSecAttrCreationDate", "kSecAttrModificationDate", "kSecAttrDescription",
        "kSecAttrComment", "kSecAttrCreator", "kSecAttrType", "kSecAttrIsInvisible",
        "kSecAttrIsNegative", "kSecAttrAccount",
    ])

    private static let certificate: Set<String> = common.union([
        "kSecAttrCertificateType", "kSecAttrCertificateEncoding", "kSecAttrSubject",
        "kSecAttrIssuer", "kSecAttrSerialNumber", "kSecAttrSubjectKeyID", "kSecAttrPublicKeyHash",
    ])

    private static let key: Set<String> = common.union([
        "kSecAttrKeyClass", "kSecAttrApplicationLabel", "kSecAttrApplicationTag",
        "kSecAttrIsPermanent", "kSecAttrIsSensitive", "kSecAttrIsExtractable", "kSecAttrKeyType",
        "kSecAttrPRF", "kSecAttrSalt", "kSecAttrRounds", "kSecAttrKeySizeInBits",
        "kSecAttrEffectiveKeySize", "kSecAttrCanEncrypt", "kSecAttrCanDecrypt",
        "kSecAttrCanDerive", "kSecAttrCanSign", "kSecAttrCanVerify", "kSecAttrCanWrap",
        "kSecAttrCanUnwrap", "kSecAttrCreationDate", "kSecAttrModificationDate",
    ])

    /// Returns the attributes that items of a class have.
    package static func attributes(of itemClass: ItemClass) -> Set<String> {
        switch itemClass {
        case .genericPassword: password.union(["kSecAttrService", "kSecAttrGeneric"])
        case .internetPassword: password.union(primaryKey(of: .internetPassword))
        case .certificate: certificate
        case .key: key
        case .identity: certificate.union(key)
        }
    }

    /// Whether a name is that of an attribute; some of them are values of attributes.
    static func isAttribute(_ name: String) -> Bool { name.hasPrefix("kSecAttr") }
}
