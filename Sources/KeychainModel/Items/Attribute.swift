/// The name of an item attribute: four letters, as in the dictionaries of the public API.
///
/// Kept as a number, because attributes are looked up, hashed and sorted in every call. Public, in
/// a module that no product exports, so that other modules compare the numbers themselves.
@frozen
public struct Attribute: RawRepresentable, Hashable, Sendable {
    /// The four bytes of the name, the first one highest; 0 for a name of any other size.
    public let code: UInt32

    /// The four letters, such as `acct`.
    public var rawValue: String {
        code == 0 ? "" : withUnsafeBytes(of: code.bigEndian) { String(decoding: $0, as: UTF8.self) }
    }

    /// Takes any four letters; whether they name an attribute is the schema's to say.
    ///
    /// A name of any other size is no attribute's.
    public init(rawValue: String) { self.init(rawValue) }

    /// Takes the four bytes of a name as they are stored.
    @inlinable
    public init(code: UInt32) { self.code = code }

    private init(_ name: String) {
        let letters = name.utf8
        code = letters.count == 4 ? letters.reduce(0) { $0 << 8 | UInt32($1) } : 0
    }
}

// What a type with a raw value gets by itself would compare and hash the text.
extension Attribute {
    /// Whether two names are the same.
    @inlinable
    public static func == (left: Attribute, right: Attribute) -> Bool { left.code == right.code }

    /// Hashes the number.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Hashes the number alone.
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { code._rawHashValue(seed: seed) }
}

extension Attribute: Comparable {
    /// Whether a name comes before another in the alphabet.
    @inlinable
    public static func < (left: Attribute, right: Attribute) -> Bool { left.code < right.code }
}

// Common to the stored classes.
extension Attribute {
    package static let accessControl = Attribute("accc")
    package static let accessGroup = Attribute("agrp")
    package static let accessible = Attribute("pdmn")
    package static let creationDate = Attribute("cdat")
    package static let modificationDate = Attribute("mdat")
    package static let label = Attribute("labl")
    package static let synchronizable = Attribute("sync")
    package static let tombstone = Attribute("tomb")
    package static let digest = Attribute("sha1")
    package static let syncViewHint = Attribute("vwht")
    package static let tokenID = Attribute("tkid")
    package static let multiUser = Attribute("musr")
    package static let uuid = Attribute("UUID")
    package static let appClipItem = Attribute("clip")
    package static let sharingGroup = Attribute("ggrp")
    package static let systemBound = Attribute("sysb")
    package static let alias = Attribute("alis")
    /// Ours, not Apple's: what programs of PKCS #11 said of an object.
    ///
    /// - Source: Documentation/Spec/item.md §11.
    package static let tokenAttributes = Attribute("tkat")
}

// Passwords.
extension Attribute {
    package static let account = Attribute("acct")
    package static let service = Attribute("svce")
    package static let generic = Attribute("gena")
    package static let description = Attribute("desc")
    package static let comment = Attribute("icmt")
    package static let creator = Attribute("crtr")
    package static let type = Attribute("type")
    package static let scriptCode = Attribute("scrp")
    package static let isInvisible = Attribute("invi")
    package static let isNegative = Attribute("nega")
    package static let hasCustomIcon = Attribute("cusi")
    package static let protected = Attribute("prot")
    package static let securityDomain = Attribute("sdmn")
    package static let server = Attribute("srvr")
    package static let protocolName = Attribute("ptcl")
    package static let authenticationType = Attribute("atyp")
    package static let port = Attribute("port")
    package static let path = Attribute("path")
    /// Ours, not Apple's: see ``LookupPairs``.
    package static let lookupPairs = Attribute("lkup")
}

// Certificates.
extension Attribute {
    package static let certificateType = Attribute("ctyp")
    package static let certificateEncoding = Attribute("cenc")
    package static let subject = Attribute("subj")
    package static let issuer = Attribute("issr")
    package static let serialNumber = Attribute("slnr")
    package static let subjectKeyID = Attribute("skid")
    package static let publicKeyHash = Attribute("pkhh")
}

// Keys.
extension Attribute {
    package static let keyClass = Attribute("kcls")
    package static let applicationLabel = Attribute("klbl")
    package static let applicationTag = Attribute("atag")
    package static let keySizeInBits = Attribute("bsiz")
    package static let effectiveKeySize = Attribute("esiz")
    package static let startDate = Attribute("sdat")
    package static let endDate = Attribute("edat")
    package static let isPermanent = Attribute("perm")
    package static let isPrivate = Attribute("priv")
    package static let isModifiable = Attribute("modi")
    package static let isSensitive = Attribute("sens")
    package static let wasAlwaysSensitive = Attribute("asen")
    package static let isExtractable = Attribute("extr")
    package static let wasNeverExtractable = Attribute("next")
    package static let canEncrypt = Attribute("encr")
    package static let canDecrypt = Attribute("decr")
    package static let canDerive = Attribute("drve")
    package static let canSign = Attribute("sign")
    package static let canVerify = Attribute("vrfy")
    package static let canSignRecover = Attribute("snrc")
    package static let canVerifyRecover = Attribute("vyrc")
    package static let canWrap = Attribute("wrap")
    package static let canUnwrap = Attribute("unwp")
}
