import Foundation
import KeychainSimulator
import Security
import TestSupport
import Testing

@testable import KeychainPatterns

@Suite struct `A signing key` {
    let key = SigningKey(tag: Data("com.example.app.signing".utf8))
    let message = Data("message".utf8)

    @Test func `is made once, and found again after a restart`() throws {
        let phone = try Phone()
        let signature = try phone.app.run { try key.signature(of: message) }
        phone.device.reboot()
        try phone.unlock()
        try phone.app.run {
            let publicKey = try #require(SecKeyCopyPublicKey(try key.key()))
            let isValid = SecKeyVerifySignature(
                publicKey,
                .ecdsaSignatureMessageX962SHA256,
                message as CFData,
                signature as CFData,
                nil
            )
            #expect(isValid)
        }
    }

    @Test func `leaves the keys of other tags when it is deleted`() throws {
        let phone = try Phone()
        let other = SigningKey(tag: Data("com.example.app.other".utf8))
        try phone.app.run {
            let kept = try #require(SecKeyCopyExternalRepresentation(try other.key(), nil)) as Data
            _ = try key.key()
            try key.delete()
            let found = SecKeyCopyExternalRepresentation(try other.key(), nil) as Data?
            #expect(found == kept)
        }
    }

    @Test func `is not made a second time while the device is locked`() throws {
        let phone = try Phone()
        _ = try phone.app.run { try key.key() }
        phone.device.lock()
        phone.app.run(.background) {
            #expect(status { _ = try key.signature(of: message) } != nil)
        }
        try phone.unlock()
        #expect(phone.app.run { count(kSecClassKey) } == 1)
    }
}

/// How many items of a class the running app has.
private func count(_ itemClass: CFString) -> Int {
    let query: [String: Any] = [
        kSecClass as String: itemClass, kSecMatchLimit as String: kSecMatchLimitAll,
        kSecReturnAttributes as String: true,
    ]
    var result: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess else { return 0 }
    return (result as? [[String: Any]])?.count ?? 0
}

@Suite struct `A key of the Secure Enclave` {
    let key = EnclaveKey(tag: Data("com.example.app.enclave".utf8))

    @Test func `signs after a prompt, and cannot be exported`() throws {
        let phone = try Phone()
        let message = Data("message".utf8)
        try phone.app.run {
            #expect(try key.signature(of: message, reason: "to sign") == nil)
            let publicKey = try key.register()
            let signature = try #require(try key.signature(of: message, reason: "to sign"))
            let isValid = SecKeyVerifySignature(
                publicKey,
                .ecdsaSignatureMessageX962SHA256,
                message as CFData,
                signature as CFData,
                nil
            )
            #expect(isValid)
        }
        #expect(phone.device.prompts.map(\.kind) == [.biometry])
    }

    @Test func `is missing on another device, which registers a new one`() throws {
        let phone = try Phone()
        _ = try phone.app.run { try key.register() }
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try key.signature(of: Data(), reason: "to sign") } == nil)
    }

    @Test func `does not sign for a user who cancels`() throws {
        let phone = try Phone()
        _ = try phone.app.run { try key.register() }
        phone.device.user.cancels = true
        phone.app.run {
            #expect(status { _ = try key.signature(of: Data(), reason: "to sign") } != nil)
        }
    }
}

@Suite struct `A key from elsewhere` {
    @Test func `is found as a key, with its type and size`() throws {
        let phone = try Phone()
        let tag = Data("com.example.app.imported".utf8)
        try phone.app.run {
            let attributes: [String: Any] = [
                kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeySizeInBits as String: 256,
            ]
            let made = try #require(SecKeyCreateRandomKey(attributes as CFDictionary, nil))
            let bytes = try #require(SecKeyCopyExternalRepresentation(made, nil)) as Data
            try ImportedKey(tag: tag).add(bytes)
            try ImportedKey(tag: tag).add(bytes)
            let found = try SigningKey(tag: tag).key()
            #expect(SecKeyCopyExternalRepresentation(found, nil) as Data? == bytes)
        }
    }

    @Test func `is refused if the bytes are no key`() throws {
        let phone = try Phone()
        phone.app.run {
            #expect(status { try ImportedKey(tag: Data()).add(.secret) } == errSecDecode)
        }
    }
}

@Suite struct `A symmetric key` {
    @Test func `is made once, and stays on the device`() throws {
        let phone = try Phone()
        let key = RawKey(name: "documents")
        let bytes = try phone.app.run { try key.bytes() }
        #expect(bytes.count == 32)
        #expect(try phone.app.run { try key.bytes() } == bytes)
        let other = try phone.restoredOnAnotherPhone()
        #expect(try other.app.run { try key.bytes() } != bytes)
    }

    @Test func `is not replaced while the device is locked`() throws {
        let phone = try Phone()
        let key = RawKey(name: "documents")
        let bytes = try phone.app.run { try key.bytes() }
        phone.device.lock()
        phone.app.run(.background) {
            #expect(status { _ = try key.bytes() } == errSecInteractionNotAllowed)
        }
        try phone.unlock()
        #expect(try phone.app.run { try key.bytes() } == bytes)
    }
}

@Suite struct `A sealed document` {
    @Test func `contains nothing of the document, whatever its size`() throws {
        let phone = try Phone()
        let key = SigningKey(tag: Data("com.example.app.documents".utf8))
        let document = SealedDocument(file: phone.file("notes"), key: key)
        let text = Data(repeating: 7, count: 100_000)
        try phone.app.run {
            try document.write(text)
            #expect(try document.read() == text)
        }
        let sealed = try Data(contentsOf: phone.file("notes"))
        #expect(sealed.range(of: Data(repeating: 7, count: 16)) == nil)
        phone.device.lock()
        phone.app.run(.background) { #expect(status { _ = try document.read() } != nil) }
    }
}

@Suite struct `A client's identity` {
    @Test func `exists while both of its halves do`() throws {
        let phone = try Phone()
        try phone.app.run {
            let client = ClientIdentity()
            #expect(try client.identity() == nil)
            try client.importFile(PKCS12File.ada, passphrase: "open")
            try client.importFile(PKCS12File.ada, passphrase: "open")
            #expect(try client.identity() != nil)
            #expect(SecItemDelete([kSecClass as String: kSecClassKey] as CFDictionary) == 0)
            #expect(try client.identity() == nil)
            #expect(count(kSecClassCertificate) == 1)
        }
    }

    @Test func `is refused for a wrong passphrase or damaged certificate`() throws {
        let phone = try Phone()
        phone.app.run {
            let client = ClientIdentity()
            let wrong = { try client.importFile(PKCS12File.ada, passphrase: "no") }
            #expect(status(of: wrong) == errSecAuthFailed)
            #expect(status { try client.addCertificate(der: .secret) } == errSecDecode)
        }
    }
}
