import CoreFoundation
import KeychainModel

/// The key of the item class; one of the `kSecClass…` values.
nonisolated(unsafe) public let kSecClass: CFString = ConstantString(query: .itemClass)
/// A password for a service and an account.
nonisolated(unsafe) public let kSecClassGenericPassword: CFString = ConstantString(
    itemClass: .genericPassword
)
/// A password for a server, a protocol and an account.
nonisolated(unsafe) public let kSecClassInternetPassword: CFString = ConstantString(
    itemClass: .internetPassword
)
/// An X.509 certificate.
nonisolated(unsafe) public let kSecClassCertificate: CFString = ConstantString(
    itemClass: .certificate
)
/// A public, private or symmetric key.
nonisolated(unsafe) public let kSecClassKey: CFString = ConstantString(itemClass: .key)
/// A certificate together with its private key.
nonisolated(unsafe) public let kSecClassIdentity: CFString = ConstantString(itemClass: .identity)
