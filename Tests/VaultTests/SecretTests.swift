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
        let same = ["t0ken", "t0kem", "t0ke", ""].map { secret.matches(Secret(copying: $0)) }
        #expect(same == [true, false, false, false])
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

    /// The pattern is half of the secret, turned, so that nothing but the secret contains it.
    @Test(.device(), .requirement("VLT-05"))
    func `is overwritten at its end, unlike Data`() throws {
        let mask: UInt8 = 0x5A
        let masked = try Secret(randomByteCount: 64).withUnsafeBytes { Array($0) }
        func count() -> Int {
            // Unmasked in a buffer of its own, which the scan leaves out.
            let pattern = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
            defer {
                pattern.initializeMemory(as: UInt8.self, repeating: 0)
                pattern.deallocate()
            }
            for index in masked.indices { pattern[index] = masked[index] ^ mask }
            return MemoryScan.occurrences(of: UnsafeRawBufferPointer(pattern))
        }
        try save(masked, mask)
        let before = count()
        let held = try vault.secret(.token)
        #expect(count() == before + 1)
        let data = try #require(try vault.data(.token))
        #expect(count() == before + 2)
        _ = consume held
        #expect(count() == before + 1)
        #expect(data.count == 64)
    }

    private func save(_ masked: [UInt8], _ mask: UInt8) throws {
        var bytes = Data(masked.map { $0 ^ mask })
        try vault.save(Secret(wiping: &bytes), in: .token)
    }
}
