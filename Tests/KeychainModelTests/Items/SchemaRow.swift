// ★ Table: what the schema has to say, written down a second time from Apple's header.

import KeychainModel
import Testing

/// One attribute as the classes have it: letters, constant, kind, classes.
struct SchemaRow: Sendable, CustomTestStringConvertible {
    let attribute: Attribute
    let constant: String?
    let kind: AttributeKind
    let classes: Set<ItemClass>

    var testDescription: String {
        "\(attribute.rawValue) of \(classes.map(\.rawValue).sorted().joined(separator: ", "))"
    }

    private init(_ letters: String, _ constant: String?, _ kind: AttributeKind, _ classes: String) {
        attribute = Attribute(rawValue: letters)
        self.constant = constant
        self.kind = kind
        self.classes = Set(classes.split(separator: " ").compactMap { Self.classes[$0] })
    }

    private static let classes: [Substring: ItemClass] = [
        "genp": .genericPassword, "inet": .internetPassword, "cert": .certificate, "keys": .key,
    ]
    private static let all = "genp inet cert keys"

    static let expected: [SchemaRow] = common + passwords + certificates + keys

    private static let common: [SchemaRow] = [
        .init("agrp", "kSecAttrAccessGroup", .string, all),
        .init("sync", "kSecAttrSynchronizable", .number, all),
        .init("tomb", "kSecAttrTombstone", .number, all),
        .init("pdmn", "kSecAttrAccessible", .accessible, all),
        .init("accc", "kSecAttrAccessControl", .accessControl, all),
        .init("cdat", "kSecAttrCreationDate", .date, all),
        .init("mdat", "kSecAttrModificationDate", .date, all),
        .init("labl", "kSecAttrLabel", .blob, all),
        .init("alis", "kSecAttrAlias", .blob, all),
        .init("vwht", "kSecAttrSyncViewHint", .string, all),
        .init("musr", nil, .uuid, all),
        .init("ggrp", "kSecAttrSharingGroup", .string, all),
        .init("sysb", "kSecAttrSysBound", .number, all),
        .init("clip", "kSecAttrAppClipItem", .number, all),
        .init("tkid", "kSecAttrTokenID", .string, "genp inet cert"),
        .init("tkid", "kSecAttrTokenID", .string, "keys"),
        .init("tkat", nil, .data, "genp cert keys"),
    ]

    private static let passwords: [SchemaRow] = [
        .init("acct", "kSecAttrAccount", .blob, "genp inet"),
        .init("svce", "kSecAttrService", .blob, "genp"),
        .init("lkup", nil, .pairs, "genp"),
        .init("gena", "kSecAttrGeneric", .blob, "genp"),
        .init("sdmn", "kSecAttrSecurityDomain", .blob, "inet"),
        .init("srvr", "kSecAttrServer", .blob, "inet"),
        .init("ptcl", "kSecAttrProtocol", .number, "inet"),
        .init("atyp", "kSecAttrAuthenticationType", .blob, "inet"),
        .init("port", "kSecAttrPort", .number, "inet"),
        .init("path", "kSecAttrPath", .blob, "inet"),
        .init("desc", "kSecAttrDescription", .blob, "genp inet"),
        .init("icmt", "kSecAttrComment", .blob, "genp inet"),
        .init("crtr", "kSecAttrCreator", .number, "genp inet"),
        .init("type", "kSecAttrType", .number, "genp inet"),
        .init("scrp", "kSecAttrScriptCode", .number, "genp inet"),
        .init("invi", "kSecAttrIsInvisible", .number, "genp inet"),
        .init("nega", "kSecAttrIsNegative", .number, "genp inet"),
        .init("cusi", "kSecAttrHasCustomIcon", .number, "genp inet"),
        .init("prot", "kSecProtectedDataItemAttr", .blob, "genp inet"),
    ]

    private static let certificates: [SchemaRow] = [
        .init("ctyp", "kSecAttrCertificateType", .number, "cert"),
        .init("cenc", "kSecAttrCertificateEncoding", .number, "cert"),
        .init("issr", "kSecAttrIssuer", .data, "cert"),
        .init("slnr", "kSecAttrSerialNumber", .data, "cert"),
        .init("subj", "kSecAttrSubject", .data, "cert"),
        .init("skid", "kSecAttrSubjectKeyID", .data, "cert"),
        .init("pkhh", "kSecAttrPublicKeyHash", .data, "cert"),
    ]

    private static let keys: [SchemaRow] = [
        .init("kcls", "kSecAttrKeyClass", .number, "keys"),
        .init("klbl", "kSecAttrApplicationLabel", .data, "keys"),
        .init("atag", "kSecAttrApplicationTag", .blob, "keys"),
        .init("type", "kSecAttrKeyType", .number, "keys"),
        .init("bsiz", "kSecAttrKeySizeInBits", .number, "keys"),
        .init("esiz", "kSecAttrEffectiveKeySize", .number, "keys"),
        .init("crtr", "kSecAttrKeyCreator", .number, "keys"),
        .init("sdat", "kSecAttrStartDate", .date, "keys"),
        .init("edat", "kSecAttrEndDate", .date, "keys"),
        .init("perm", "kSecAttrIsPermanent", .number, "keys"),
        .init("priv", "kSecAttrIsPrivate", .number, "keys"),
        .init("modi", "kSecAttrIsModifiable", .number, "keys"),
        .init("sens", "kSecAttrIsSensitive", .number, "keys"),
        .init("asen", "kSecAttrWasAlwaysSensitive", .number, "keys"),
        .init("extr", "kSecAttrIsExtractable", .number, "keys"),
        .init("next", "kSecAttrWasNeverExtractable", .number, "keys"),
        .init("encr", "kSecAttrCanEncrypt", .number, "keys"),
        .init("decr", "kSecAttrCanDecrypt", .number, "keys"),
        .init("drve", "kSecAttrCanDerive", .number, "keys"),
        .init("sign", "kSecAttrCanSign", .number, "keys"),
        .init("vrfy", "kSecAttrCanVerify", .number, "keys"),
        .init("snrc", "kSecAttrCanSignRecover", .number, "keys"),
        .init("vyrc", "kSecAttrCanVerifyRecover", .number, "keys"),
        .init("wrap", "kSecAttrCanWrap", .number, "keys"),
        .init("unwp", "kSecAttrCanUnwrap", .number, "keys"),
    ]
}
