import CoreFoundation
import KeychainModel

// The attributes that all classes, or both password classes, have.

/// The conditions under which the item opens, a ``SecAccessControl``.
nonisolated(unsafe) public let kSecAttrAccessControl: CFString = ConstantString(
    attribute: .accessControl
)
/// The access group that owns the item.
nonisolated(unsafe) public let kSecAttrAccessGroup: CFString = ConstantString(
    attribute: .accessGroup
)
/// The access group of items on tokens.
nonisolated(unsafe) public let kSecAttrAccessGroupToken: CFString = ConstantString(
    "com.apple.token"
)
/// The access object of a file-based keychain item.
nonisolated(unsafe) public let kSecAttrAccess: CFString = ConstantString("acls")
/// Whether the item synchronizes between devices.
nonisolated(unsafe) public let kSecAttrSynchronizable: CFString = ConstantString(
    attribute: .synchronizable
)
/// A query's value for both synchronized and other items.
nonisolated(unsafe) public let kSecAttrSynchronizableAny: CFString = ConstantString("syna")
/// The name of the view in which the item synchronizes.
nonisolated(unsafe) public let kSecAttrSyncViewHint: CFString = ConstantString(
    attribute: .syncViewHint
)
/// The date on which the item was added.
nonisolated(unsafe) public let kSecAttrCreationDate: CFString = ConstantString(
    attribute: .creationDate
)
/// The date of the item's last change.
nonisolated(unsafe) public let kSecAttrModificationDate: CFString = ConstantString(
    attribute: .modificationDate
)
/// The display name.
nonisolated(unsafe) public let kSecAttrLabel: CFString = ConstantString(attribute: .label)
/// A description of the kind of item, for the user.
nonisolated(unsafe) public let kSecAttrDescription: CFString = ConstantString(
    attribute: .description
)
/// A comment for the user.
nonisolated(unsafe) public let kSecAttrComment: CFString = ConstantString(attribute: .comment)
/// The creator's code of four letters, as a number.
nonisolated(unsafe) public let kSecAttrCreator: CFString = ConstantString(attribute: .creator)
/// The type's code of four letters, as a number.
nonisolated(unsafe) public let kSecAttrType: CFString = ConstantString(attribute: .type)
/// Whether lists for the user leave out the item.
nonisolated(unsafe) public let kSecAttrIsInvisible: CFString = ConstantString(
    attribute: .isInvisible
)
/// Whether the item records that the user does not want to store a password.
nonisolated(unsafe) public let kSecAttrIsNegative: CFString = ConstantString(attribute: .isNegative)
/// The token that contains the item.
nonisolated(unsafe) public let kSecAttrTokenID: CFString = ConstantString(attribute: .tokenID)
/// The token of the device's own secure element, a value of `kSecAttrTokenID`.
nonisolated(unsafe) public let kSecAttrTokenIDSecureEnclave: CFString = ConstantString(
    "com.apple.setoken"
)
/// The persistent reference as an attribute.
nonisolated(unsafe) public let kSecAttrPersistentReference: CFString = ConstantString("persistref")
/// The persistent reference as an attribute, in Apple's older spelling.
nonisolated(unsafe) public let kSecAttrPersistantReference: CFString = ConstantString("persistref")

// Passwords.

/// The account name.
nonisolated(unsafe) public let kSecAttrAccount: CFString = ConstantString(attribute: .account)
/// The service of a generic password.
nonisolated(unsafe) public let kSecAttrService: CFString = ConstantString(attribute: .service)
/// Any data of the application; not part of the primary key.
nonisolated(unsafe) public let kSecAttrGeneric: CFString = ConstantString(attribute: .generic)
/// The security domain of an internet password.
nonisolated(unsafe) public let kSecAttrSecurityDomain: CFString = ConstantString(
    attribute: .securityDomain
)
/// The host of an internet password.
nonisolated(unsafe) public let kSecAttrServer: CFString = ConstantString(attribute: .server)
/// The protocol of an internet password; a `kSecAttrProtocol…` value.
nonisolated(unsafe) public let kSecAttrProtocol: CFString = ConstantString(attribute: .protocolName)
/// The server's authentication scheme; a `kSecAttrAuthenticationType…` value.
nonisolated(unsafe) public let kSecAttrAuthenticationType: CFString = ConstantString(
    attribute: .authenticationType
)
/// The port of an internet password.
nonisolated(unsafe) public let kSecAttrPort: CFString = ConstantString(attribute: .port)
/// The path of an internet password.
nonisolated(unsafe) public let kSecAttrPath: CFString = ConstantString(attribute: .path)

// Certificates.

/// The kind of certificate, as a number.
nonisolated(unsafe) public let kSecAttrCertificateType: CFString = ConstantString(
    attribute: .certificateType
)
/// The encoding of a certificate, as a number.
nonisolated(unsafe) public let kSecAttrCertificateEncoding: CFString = ConstantString(
    attribute: .certificateEncoding
)
/// The subject name of a certificate, as DER.
nonisolated(unsafe) public let kSecAttrSubject: CFString = ConstantString(attribute: .subject)
/// The issuer name of a certificate, as DER.
nonisolated(unsafe) public let kSecAttrIssuer: CFString = ConstantString(attribute: .issuer)
/// The serial number of a certificate, as the bytes of its INTEGER.
nonisolated(unsafe) public let kSecAttrSerialNumber: CFString = ConstantString(
    attribute: .serialNumber
)
/// The subject key identifier of a certificate.
nonisolated(unsafe) public let kSecAttrSubjectKeyID: CFString = ConstantString(
    attribute: .subjectKeyID
)
/// The SHA-1 digest of a certificate's public key, 20 bytes.
nonisolated(unsafe) public let kSecAttrPublicKeyHash: CFString = ConstantString(
    attribute: .publicKeyHash
)
