import Security
import TestSupport
import Testing

/// A padding of the oldest key functions, with what `openssl pkeyutl` calls it.
private struct PaddingRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pair: KeyPair
    let padding: SecPadding
    let options: String
    /// What is signed or encrypted.
    let byteCount: Int

    init(_ name: String, _ pair: KeyPair, _ padding: SecPadding, _ options: String, _ count: Int) {
        testDescription = "\(pair.testDescription) \(name)"
        self.pair = pair
        self.padding = padding
        self.options = options
        byteCount = count
    }

    var input: Data { Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 + 1) }) }

    static let signatures = [
        PaddingRow("PKCS1", .rsa, .PKCS1, "-pkeyopt rsa_padding_mode:pkcs1", 21),
        PaddingRow("SHA1", .rsa, .PKCS1SHA1, "-pkeyopt digest:sha1", 20),
        PaddingRow("SHA224", .rsa, .PKCS1SHA224, "-pkeyopt digest:sha224", 28),
        PaddingRow("SHA256", .rsa, .PKCS1SHA256, "-pkeyopt digest:sha256", 32),
        PaddingRow("SHA384", .rsa, .PKCS1SHA384, "-pkeyopt digest:sha384", 48),
        PaddingRow("SHA512", .rsa, .PKCS1SHA512, "-pkeyopt digest:sha512", 64),
        PaddingRow("PKCS1", .p256, .PKCS1, "", 32),
        PaddingRow("none", .p384, [], "", 48),
        PaddingRow("an odd size", .p521, .PKCS1, "", 33),
    ]

    static let encryptions = [
        PaddingRow("PKCS1", .rsa, .PKCS1, "-pkeyopt rsa_padding_mode:pkcs1", 20),
        PaddingRow("OAEP", .rsa, .OAEP, "-pkeyopt rsa_padding_mode:oaep", 20),
    ]

    static let refused = [
        PaddingRow("MD2", .rsa, .PKCS1MD2, "", 16),
        PaddingRow("MD5", .rsa, .PKCS1MD5, "", 16),
        PaddingRow("OAEP", .rsa, .OAEP, "", 20),
        PaddingRow("sigRaw", .rsa, .sigRaw, "", 32),
        PaddingRow("a digest of another size", .rsa, .PKCS1SHA256, "", 20),
        PaddingRow("PKCS1", .ed25519, .PKCS1, "", 32),
    ]
}

@Suite struct `The key functions that write into memory of the caller` {
    private let raw = Deprecated.rawOperations

    @Test(.requirement("KEY-15"), arguments: PaddingRow.signatures)
    fileprivate func `sign digests as OpenSSL does`(row: PaddingRow) throws {
        let signed = raw.sign(row.pair.privateKey, row.padding, row.input)
        let signature = try #require(signed.bytes)
        #expect(signed.status == errSecSuccess)
        let files = try row.pair.files()
            .merging(["input": row.input, "signature": signature]) { $1 }
        let command = "pkeyutl -verify -pubin -inkey public.der -keyform DER \(row.options)"
        try OpenSSL.run("\(command) -in input -sigfile signature", files: files)
        let signing = "pkeyutl -sign -inkey private.der -keyform DER \(row.options) -in input"
        let theirs = try OpenSSL.run(signing, files: files)
        #expect(raw.verify(row.pair.publicKey, row.padding, row.input, theirs) == errSecSuccess)
        // Only the public half verifies.
        #expect(raw.verify(row.pair.privateKey, row.padding, row.input, theirs) != errSecSuccess)
    }

    @Test(.requirement("KEY-15"), arguments: PaddingRow.signatures)
    fileprivate func `tell a wrong signature by its own status`(row: PaddingRow) throws {
        let signature = try #require(raw.sign(row.pair.privateKey, row.padding, row.input).bytes)
        let key = row.pair.publicKey
        let other = row.input.flipping(byte: 0)
        #expect(raw.verify(key, row.padding, other, signature) == errSSLCrypto)
        let changed = signature.flipping(byte: signature.count - 1)
        #expect(raw.verify(key, row.padding, row.input, changed) == errSSLCrypto)
        #expect(errSSLCrypto == -9809)
    }

    @Test(.requirement("KEY-15"))
    func `sign with two numbers of full width`() throws {
        let pair = KeyPair.p256
        let digest = Data(repeating: 7, count: 32)
        let signature = try #require(raw.sign(pair.privateKey, .sigRaw, digest).bytes)
        #expect(signature.count == 64)
        let verified = Keys.verify(pair.publicKey, .ecdsaSignatureRFC4754, digest, signature)
        #expect(verified.value == true)
        let modern = Keys.sign(pair.privateKey, .ecdsaSignatureRFC4754, digest)
        let theirs = try #require(modern.value)
        #expect(raw.verify(pair.publicKey, .sigRaw, digest, theirs) == errSecSuccess)
    }

    @Test(.requirement("KEY-15"), arguments: PaddingRow.encryptions)
    fileprivate func `encrypt and decrypt as OpenSSL does`(row: PaddingRow) throws {
        let block = try #require(raw.encrypt(row.pair.publicKey, row.padding, row.input).bytes)
        let files = try row.pair.files().merging(["input": row.input, "block": block]) { $1 }
        let decrypting = "pkeyutl -decrypt -inkey private.der -keyform DER \(row.options)"
        #expect(try OpenSSL.run("\(decrypting) -in block", files: files) == row.input)
        let encrypting = "pkeyutl -encrypt -pubin -inkey public.der -keyform DER \(row.options)"
        let theirs = try OpenSSL.run("\(encrypting) -in input", files: files)
        #expect(raw.decrypt(row.pair.privateKey, row.padding, theirs).bytes == row.input)
        let changed = raw.decrypt(row.pair.privateKey, .OAEP, theirs.dropLast() + [0])
        #expect(changed.bytes == nil && changed.status == errSecParam)
    }

    @Test(.requirement("KEY-15"))
    func `leave out the zeros in front of a bare block`() throws {
        let pair = KeyPair.rsa
        let text = Data("twenty bytes of text".utf8)
        let block = try #require(raw.encrypt(pair.publicKey, [], text).bytes)
        #expect(raw.decrypt(pair.privateKey, [], block).bytes == text)
        let bare = Keys.decrypt(pair.privateKey, .rsaEncryptionRaw, block).value
        #expect(bare?.count == pair.blockByteCount && bare?.suffix(20) == text)
    }

    @Test(.requirement("KEY-15"), arguments: PaddingRow.refused)
    fileprivate func `refuse a padding that the key does not have`(row: PaddingRow) throws {
        let signed = raw.sign(row.pair.privateKey, row.padding, row.input)
        #expect(signed.bytes == nil && signed.status == errSecParam)
        let signature = Data(count: row.pair.blockByteCount)
        let status = raw.verify(row.pair.publicKey, row.padding, row.input, signature)
        #expect(status == errSecParam || (status == errSSLCrypto && row.byteCount == 20))
    }

    @Test func `need the private half, and encrypt for RSA keys alone`() {
        let (rsa, curve) = (KeyPair.rsa, KeyPair.p256)
        let text = Data("text".utf8)
        #expect(raw.sign(rsa.publicKey, .PKCS1, text).status == errSecParam)
        #expect(raw.decrypt(rsa.publicKey, .PKCS1, Data(count: 256)).status == errSecParam)
        #expect(raw.encrypt(curve.publicKey, .PKCS1, text).status == errSecParam)
        #expect(raw.decrypt(curve.privateKey, [], text).status == errSecParam)
    }

    @Test func `write nothing where there is too little room`() {
        let pair = KeyPair.rsa
        let signed = raw.sign(pair.privateKey, .PKCS1, Data("text".utf8), room: 255)
        #expect(signed.bytes == nil && signed.status == errSecParam)
    }
}
