import CryptoKit

func key(_ password: String) -> SymmetricKey {
    SymmetricKey(data: Data(password.utf8))  // expect
}
