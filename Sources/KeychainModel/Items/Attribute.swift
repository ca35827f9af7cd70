/// The name of an item attribute: four letters, as in the dictionaries of the public API.
///
/// It is stored as a number, because every call looks up, hashes and sorts attributes. It is
/// public, in a module that no product exports, so that other modules compare the numbers
/// themselves.
@frozen
public struct Attribute: RawRepresentable, Hashable, Sendable {
    /// The four bytes of the name as a big-endian number; 0 for a name of any other size.
    public let code: UInt32

    /// The four letters, such as `acct`.
    public var rawValue: String {
        code == 0 ? "" : withUnsafeBytes(of: code.bigEndian) { String(decoding: $0, as: UTF8.self) }
    }

    /// Accepts any four letters; the schema says whether they name an attribute.
    ///
    /// A name of any other size does not name an attribute.
    public init(rawValue: String) { self.init(rawValue) }

    /// Creates the name from its four bytes as stored.
    @inlinable
    public init(code: UInt32) { self.code = code }

    private init(_ name: String) {
        let letters = name.utf8
        code = letters.count == 4 ? letters.reduce(0) { $0 << 8 | UInt32($1) } : 0
    }
}

// The default implementations of a type with a raw value would compare and hash the text.
extension Attribute {
    /// Whether two names are the same.
    @inlinable
    public static func == (left: Attribute, right: Attribute) -> Bool { left.code == right.code }

    /// Hashes the number.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    /// Hashes only the number.
    @inlinable
    public func _rawHashValue(seed: Int) -> Int { code._rawHashValue(seed: seed) }
}

extension Attribute: Comparable {
    /// Whether a name comes before another in alphabetical order.
    @inlinable
    public static func < (left: Attribute, right: Attribute) -> Bool { left.code < right.code }
}

// Attributes of all stored classes.
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
    /// Our own attribute, not Apple's: the attributes that PKCS #11 programs gave an object.
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
    /// Our own attribute, not Apple's: see ``LookupPairs``.
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
