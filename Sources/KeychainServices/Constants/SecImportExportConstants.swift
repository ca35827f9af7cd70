import CoreFoundation

// Keys of the options and results of `SecPKCS12Import`.

/// The passphrase of the imported data.
nonisolated(unsafe) public let kSecImportExportPassphrase: CFString = ConstantString("passphrase")
/// The file-based keychain to import into.
nonisolated(unsafe) public let kSecImportExportKeychain: CFString = ConstantString("keychain")
/// The access object for what is imported.
nonisolated(unsafe) public let kSecImportExportAccess: CFString = ConstantString("access")
/// Whether the import is kept out of every keychain.
nonisolated(unsafe) public let kSecImportToMemoryOnly: CFString = ConstantString("memory")
/// The label of what was imported.
nonisolated(unsafe) public let kSecImportItemLabel: CFString = ConstantString("label")
/// The key identifier of what was imported.
nonisolated(unsafe) public let kSecImportItemKeyID: CFString = ConstantString("keyid")
/// The trust object of what was imported.
nonisolated(unsafe) public let kSecImportItemTrust: CFString = ConstantString("trust")
/// The certificates of what was imported.
nonisolated(unsafe) public let kSecImportItemCertChain: CFString = ConstantString("chain")
/// The identity that was imported.
nonisolated(unsafe) public let kSecImportItemIdentity: CFString = ConstantString("identity")
