import Foundation
import TestSupport
import Testing
import VaultTesting

@testable import Vault

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

    @Test(arguments: [0, 1, 4096, 4097]) func `shares no page with another one`(count: Int) {
        let (first, second) = (Data(count: count), Data(count: count))
        let secret = Secret(copying: first)
        let later = Secret(copying: second)
        let page = UInt(getpagesize())
        let one = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        let other = later.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        // Unlocking the page of one would let the other be swapped out.
        #expect(one.isMultiple(of: page) && other.isMultiple(of: page) && one != other)
    }

    @Test(.device()) func `is not what a log or a dump shows`() throws {
        var plan = Transaction()
        plan.save("t0ken", in: .token)
        let reading = Reading<String>.value("t0ken")
        var text = "\(reading) \(String(reflecting: reading)) \(plan) \(String(reflecting: plan))"
        dump(reading, to: &text)
        dump(plan, to: &text)
        #expect(!text.contains("t0ken") && !text.contains("116"), "\(text)")
        #expect(text.contains("password api/token"))
    }

    @Test func `of random bytes differs from the next one`() throws {
        let one = try Secret(randomByteCount: 32)
        let isSame = one.matches(try Secret(randomByteCount: 32))
        #expect(!isSame && one.byteCount == 32)
    }

    @Test(.device(), .requirement("VLT-05"))
    func `is overwritten at its end, unlike Data`() throws {
        let bytes = Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })
        try vault.save(bytes, in: .token)
        let data = try #require(try vault.data(.token))
        let secret = try vault.secret(.token)
        guard let secret else {
            Issue.record("there is no secret")
            return
        }
        let end = secret.end
        #expect(end.content == bytes.suffix(48))
        _ = consume secret
        #expect(end.content != bytes.suffix(48))
        #expect(data == bytes)
    }
}

/// A place in memory that can be read whoever owns it now.
private struct Place {
    let address: Int
    let byteCount: Int

    /// What is there now; nil if this process has no such memory any more.
    var content: Data? {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var bytes = Data(count: byteCount)
        let count = bytes.withUnsafeMutableBytes {
            pread(memory, $0.baseAddress, byteCount, address)
        }
        return count == byteCount ? bytes : nil
    }
}

extension Secret {
    /// The place of the last bytes.
    ///
    /// An allocator writes to the first ones after their release.
    fileprivate var end: Place {
        withUnsafeBytes { bytes in
            Place(address: Int(bitPattern: bytes.baseAddress) + bytes.count - 48, byteCount: 48)
        }
    }
}
