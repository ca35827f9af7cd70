import Security
import TestSupport
import Testing

@Suite struct `A key exchange` {
    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.agreements)
    func `gives both sides the same`(use: AlgorithmUse) throws {
        let other = try use.pair.another()
        let otherPublic = try #require(SecKeyCopyPublicKey(other))
        let info = Data("both know".utf8)
        let (own, algorithm) = (use.pair.privateKey, use.algorithm)
        let here = Keys.agree(own, algorithm, with: otherPublic, size: 77, sharedInfo: info)
        let there = Keys.agree(
            other,
            algorithm,
            with: use.pair.publicKey,
            size: 77,
            sharedInfo: info
        )
        let secret = try #require(here.value)
        #expect(there.value == secret)
        #expect(secret.count == (use.row.derives ? 77 : use.pair.blockByteCount))
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.agreements.filter(\.row.derives))
    func `derives from the shared information`(use: AlgorithmUse) throws {
        let peer = try #require(SecKeyCopyPublicKey(try use.pair.another()))
        func derive(_ size: Int, _ info: Data?) throws -> Data {
            let own = use.pair.privateKey
            let result = Keys.agree(own, use.algorithm, with: peer, size: size, sharedInfo: info)
            return try #require(result.value)
        }
        let plain = try derive(32, nil)
        #expect(try derive(32, Data()) == plain)
        #expect(try derive(16, nil) == plain.prefix(16))
        #expect(try derive(200, nil).prefix(32) == plain)
        #expect(try derive(32, Data([1])) != plain)
    }

    @Test(
        .requirement("KEY-15"),
        arguments: AlgorithmUse.agreements.filter(\.row.derives),
        [nil, 0, -1, Int.min, Int.max] as [Int?]
    )
    func `needs a size that can be derived`(use: AlgorithmUse, size: Int?) {
        let (own, peer) = (use.pair.privateKey, use.pair.publicKey)
        let result = Keys.agree(own, use.algorithm, with: peer, size: size)
        #expect(result.isRefusal(errSecParam))
    }

    @Test(arguments: [Sample.text("32"), .data([32]), .bool(true), .null, .list, .real(1.5)])
    func `does not take anything else for a size`(sample: Sample) {
        let parameters = [
            SecKeyKeyExchangeParameter.requestedSize.rawValue as String: sample.object
        ]
        let result = Outcome {
            SecKeyCopyKeyExchangeResult(
                KeyPair.p256.privateKey,
                .ecdhKeyExchangeStandardX963SHA256,
                KeyPair.p256.publicKey,
                parameters as CFDictionary,
                $0
            )
        }
        #expect(result.isRefusal(errSecParam))
    }

    @Test(.requirement("KEY-15"), arguments: AlgorithmUse.agreements, KeyPair.all)
    func `refuses a key of another kind`(use: AlgorithmUse, peer: KeyPair) {
        let (own, algorithm) = (use.pair.privateKey, use.algorithm)
        let result = Keys.agree(own, algorithm, with: peer.publicKey, size: 32)
        #expect((result.value == nil) == (peer != use.pair))
        #expect(result.status == (peer == use.pair ? errSecSuccess : errSecParam))
        let reversed = Keys.agree(peer.publicKey, algorithm, with: own, size: 32)
        #expect(reversed.isRefusal(errSecParam))
    }

    /// ★ Points that make every agreement give zeros (RFC 7748 §6.1).
    @Test(
        .requirement("KEY-15"),
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
        ]
    )
    func `refuses a key without a secret in it`(hex: String) throws {
        let form = KeyPair.x25519.form(isPrivate: false)
        let weak = try #require(Keys.read(Data(hex: hex), form).value)
        let own = KeyPair.x25519.privateKey
        let result = Keys.agree(own, .ecdhKeyExchangeStandard, with: weak)
        #expect(result.isRefusal(errSecParam))
    }
}
