import CoreFoundation

// Keys of the options and results of `SecPKCS12Import`.

/// The passphrase of the imported data, as text.
nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = ConstantString("passphrase")
/// The file-based keychain to import into.
nonisolated(unsafe) public let kSecImportExportKeychain: CFString = ConstantString("keychain")
/// The access object for the imported items.
nonisolated(unsafe) public let kSecImportExportAccess: CFString = ConstantString("access")
/// Whether the import stores nothing in any keychain.
nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = ConstantString("memory")
/// The label of an imported item.
nonisolated(unsafe) public let kSecImportItemLabel: CFString = ConstantString("label")
/// The key identifier of an imported item.
nonisolated(unsafe) public let kSecImportItemKeyID: CFString = ConstantString("keyid")
/// The trust object of an imported identity, a ``SecTrust``.
nonisolated(unsafe) public let kSecImportItemTrust: CFString = ConstantString("trust")
/// The certificates of an imported identity, its own first.
nonisolated(unsafe) public let kSecImportItemCertChain: CFString = ConstantString("chain")
/// The imported identity, a ``SecIdentity``.
nonisolated(unsafe) public let kSecImportItemIdentity: CFString = ConstantString("identity")
