import KeychainSimulator
import ModelTestSupport
import Security
import TestSupport
import Testing

/// ★ A key as CryptoKit's `x963Representation` gives it (RFC 6979 A.2.5 to A.2.7).
private struct NISTKey: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bitCount: Int
    let x: String
    let y: String
    let scalar: String

    var point: Data { Data([4]) + Data(hex: x) + Data(hex: y) }
    var representation: Data { point + Data(hex: scalar) }

    static let p256 = NISTKey(
        testDescription: "P256",
        bitCount: 256,
        x: "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6",
        y: "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
        scalar: "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721"
    )

    static let all = [
        p256,
        NISTKey(
            testDescription: "P384",
            bitCount: 384,
            x: "EC3A4E415B4E19A4568618029F427FA5DA9A8BC4AE92E02E"
                + "06AAE5286B300C64DEF8F0EA9055866064A254515480BC13",
            y: "8015D9B72D7D57244EA8EF9AC0C621896708A59367F9DFB9"
                + "F54CA84B3F1C9DB1288B231C3AE0D4FE7344FD2533264720",
            scalar: "6B9D3DAD2E1B8C1C05B19875B6659F4DE23C3B667BF297BA"
                + "9AA47740787137D896D5724E4C70A825F872C9EA60D2EDF5"
        ),
        NISTKey(
            testDescription: "P521",
            bitCount: 521,
            x: "01894550D0785932E00EAA23B694F213F8C3121F86DC97A04E5A7167DB4E5BCD371"
                + "123D46E45DB6B5D5370A7F20FB633155D38FFA16D2BD761DCAC474B9A2F5023A4",
            y: "00493101C962CD4D2FDDF782285E64584139C2F91B47F87FF82354D6630F746A28A"
                + "0DB25741B5B34A828008B22ACC23F924FAAFBD4D33F81EA66956DFEAA2BFDFCF5",
            scalar: "00FAD06DAA62BA3B25D2FB40133DA757205DE67F5BB0018FEE8C86E1B68C7E75CAA"
                + "896EB32F1F47C70855836A6D16FCC1466F6D8FBEC67DB89EC0C08B0E996B83538"
        ),
    ]
}

/// A key that is nothing but its bytes, such as CryptoKit's Curve25519 and symmetric keys.
private struct RawKey: Equatable {
    let bytes: Data

    func store(account: String) -> OSStatus {
        Items.add([
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account,
            kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked, kSecValueData: bytes,
        ])
    }

    static func stored(account: String) -> RawKey? {
        let query: Attributes = [
            kSecClass: kSecClassGenericPassword, kSecAttrAccount: account, kSecReturnData: true,
        ]
        return Items.find(query).data.map(RawKey.init)
    }
}

@Suite struct `A CryptoKit key` {
    @Test(.requirement("KEY-09"), arguments: NISTKey.all)
    private func `on a NIST curve is stored as a key`(row: NISTKey) throws {
        try onNewDevice { _ in
            let form: Attributes = [
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom,
                kSecAttrKeyClass: kSecAttrKeyClassPrivate,
            ]
            let key = try #require(Keys.read(row.representation, form).value)
            let tag: Attributes = [
                kSecClass: kSecClassKey, kSecAttrApplicationTag: Data("kit".utf8),
            ]
            let add = tag.with([
                kSecValueRef: key, kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
                kSecUseDataProtectionKeychain: true,
            ])
            #expect(Items.add(add) == errSecSuccess)
            let query = tag.with([
                kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecReturnRef: true,
                kSecUseDataProtectionKeychain: true,
            ])
            let found = try #require(Items.find(query).object as? SecKey)
            #expect(Keys.export(found).value == row.representation)
            #expect(Items.attributes(tag)[.keySizeInBits] as? Int == row.bitCount)
            let publicKey = try #require(SecKeyCopyPublicKey(found))
            #expect(Keys.export(publicKey).value == row.point)
        }
    }

    /// The signature of "sample" with SHA-256 (RFC 6979 A.2.5).
    @Test(.requirement("KEY-09", "KEY-15"))
    func `verifies what another implementation signed`() throws {
        let form: Attributes = [
            kSecAttrKeyType: kSecAttrKeyTypeEC, kSecAttrKeyClass: kSecAttrKeyClassPublic,
        ]
        let key = try #require(Keys.read(NISTKey.p256.point, form).value)
        let signature = Data(
            hex: "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
                + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        )
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageRFC4754SHA256
        let check = Keys.verify(key, algorithm, Data("sample".utf8), signature)
        #expect(check.value == true)
        let other = Keys.verify(key, algorithm, Data("Sample".utf8), signature)
        #expect(other.isRefusal(errSecVerifyFailed))
    }

    @Test(.requirement("KEY-10"), arguments: [KeyPair.ed25519, .x25519])
    func `on Curve25519 is stored as a generic password`(pair: KeyPair) throws {
        try onNewDevice { _ in
            let key = RawKey(bytes: try KeyHalf(pair: pair, isPrivate: true).bytes())
            #expect(key.bytes.count == 32)
            #expect(key.store(account: "curve") == errSecSuccess)
            let stored = try #require(RawKey.stored(account: "curve"))
            #expect(stored == key)
            let again = Keys.read(stored.bytes, pair.form(isPrivate: true))
            #expect(again.value == pair.privateKey)
            #expect(Items.count([kSecClass: kSecClassKey]) == 0)
        }
    }

    @Test(.requirement("KEY-10"), arguments: [16, 24, 32])
    func `that is symmetric is stored as a generic password`(byteCount: Int) throws {
        try onNewDevice { _ in
            let key = RawKey(bytes: Data((0..<byteCount).map { UInt8($0) }))
            #expect(key.store(account: "aes") == errSecSuccess)
            #expect(RawKey.stored(account: "aes") == key)
            #expect(key.store(account: "aes") == errSecDuplicateItem)
        }
    }
}
