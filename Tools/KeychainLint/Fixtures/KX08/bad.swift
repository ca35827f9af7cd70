import CryptoKit

let key = SymmetricKey(size: .bits128)  // expect
