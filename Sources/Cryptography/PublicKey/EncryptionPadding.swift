/// The padding of an RSA encryption.
enum EncryptionPadding {
    case none
    case pkcs1v15
    case oaep(HashAlgorithm)
}
