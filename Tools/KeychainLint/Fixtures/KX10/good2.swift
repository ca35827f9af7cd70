import CryptoKit

/// CryptoKit compares its own codes in constant time.
func isValid(_ data: Data, mac: Data, key: SymmetricKey) -> Bool {
    let expectedMAC = HMAC<SHA256>.authenticationCode(for: data, using: key)
    guard mac.count == Data(expectedMAC).count else { return false }
    return expectedMAC == mac
}

/// A checksum of a public file is no secret.
func isComplete(_ file: Data, checksum: Data) -> Bool {
    Data(SHA256.hash(data: file)) == checksum
}

func notes(_ all: [Note], tag: String) -> [Note] { all.filter { $0.tag == tag } }
