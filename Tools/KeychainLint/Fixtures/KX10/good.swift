import CryptoKit

func isValid(_ data: Data, mac: Data, key: SymmetricKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(mac, authenticating: data, using: key)
}
