import CryptoKit

let key = SymmetricKey(size: .bits256)
