import Foundation
import TestSupport
import Testing
import Vault
import VaultTesting

/// A copy of a secret's bytes; nil without a secret.
private func bytes(of secret: consuming Secret?) -> Data? {
    guard let secret else { return nil }
    return secret.copyBytesUnprotected()
}

@Suite struct `A secret` {
    let vault = Vault()

    @Test(.device()) func `is what the item contains`() throws {
        try vault.save("t0ken", in: .token)
        let secret = try #require(bytes(of: try vault.secret(.token)))
        #expect(secret == Data("t0ken".utf8))
        let copy = Secret(copying: "t0ken")
        try vault.save(copy, in: .pin)
        #expect(try vault.text(.pin) == "t0ken")
        let (count, bytes) = (copy.byteCount, copy.withUnsafeBytes { Array($0) })
        #expect(count == 5 && bytes == Array("t0ken".utf8))
    }

    @Test(.device()) func `of a missing item is nil`() throws {
        let isMissing = try vault.secret(.token) == nil
        #expect(isMissing)
    }

    @Test(.device()) func `of an item with a constraint comes after the approval`() async throws {
        try vault.save("key", in: .diary)
        let approval = Approval(reason: "Open the diary")
        let secret = try await vault.secret(.diary, approval: approval)
        #expect(bytes(of: secret) == Data("key".utf8))
    }

    @Test func `compares all bytes`() throws {
        let secret = Secret(copying: "t0ken")
        #expect(
            ["t0ken", "t0kem", "t0ke", ""].filter { secret.matches(Secret(copying: $0)) } == [
                "t0ken"
            ]
        )
    }

    @Test func `takes the bytes away from where they were`() {
        var bytes = Data("t0ken".utf8)
        let secret = Secret(wiping: &bytes)
        #expect(bytes.isEmpty)
        let copy = secret.copyBytesUnprotected()
        #expect(copy == Data("t0ken".utf8))
    }

    @Test func `of random bytes differs from the next one`() throws {
        let one = try Secret(randomByteCount: 32)
        let isSame = one.matches(try Secret(randomByteCount: 32))
        #expect(!isSame && one.byteCount == 32)
    }

    @Test(.device(), .requirement("VLT-05"))
    func `is overwritten at its end, unlike Data`() throws {
        let pattern = try HiddenPattern(byteCount: 64)
        var bytes = pattern.bytes
        try vault.save(Secret(wiping: &bytes), in: .token)
        let before = pattern.count
        let held = try vault.secret(.token)
        #expect(before == 0)
        #expect(pattern.count == 1)
        let data = try #require(try vault.data(.token))
        #expect(pattern.count == before + 2)
        _ = consume held
        #expect(pattern.count == before + 1)
        #expect(data.count == 64)
    }
}

/// Random bytes that this process keeps in another form, so that a scan finds only copies.
private struct HiddenPattern {
    private static let mask: UInt8 = 0x5A
    private let masked: [UInt8]

    init(byteCount: Int) throws {
        masked = try Secret(randomByteCount: byteCount).withUnsafeBytes { Array($0) }
    }

    var bytes: Data { Data(masked.map { $0 ^ Self.mask }) }

    /// The number of copies in memory.
    var count: Int {
        let pattern = UnsafeMutableRawBufferPointer.allocate(byteCount: masked.count, alignment: 8)
        defer {
            pattern.initializeMemory(as: UInt8.self, repeating: 0)
            pattern.deallocate()
        }
        for index in masked.indices { pattern[index] = masked[index] ^ Self.mask }
        return MemoryScan.occurrences(of: UnsafeRawBufferPointer(pattern))
    }
}
