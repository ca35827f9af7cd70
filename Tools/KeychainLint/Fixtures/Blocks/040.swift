// An identity from a file, whose password is in the code.
var contents: CFArray?
let words = [kSecImportExportPassphrase as String: "winter-garden"]
let opened = SecPKCS12Import(fileBytes as CFData, words as CFDictionary, &contents)
guard
    opened == errSecSuccess,
    let entries = contents as? [[String: Any]],
    let pass = entries.first?[kSecImportItemIdentity as String] as? SecIdentity
else {
    throw PassError.unreadable
}
var key: SecKey?
SecIdentityCopyPrivateKey(pass, &key)
var proof: SecCertificate?
SecIdentityCopyCertificate(pass, &proof)
