import Security
import os

struct Remover {
    let log = Logger()
    func forget() throws {
        let status = SecItemDelete(  // expect
            [kSecClass: kSecClassGenericPassword, kSecAttrService: "api", kSecAttrAccount: "t"]
                as CFDictionary
        )
        if status != errSecSuccess {
            log.fault("keychain broken \(status)")
            throw Failure.status(status)
        }
    }
}
