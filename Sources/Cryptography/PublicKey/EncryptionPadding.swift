/// How an RSA key surrounds what it encrypts.
enum EncryptionPadding {
    case none
    case pkcs1v15
    case oaep(HashAlgorithm)
}
