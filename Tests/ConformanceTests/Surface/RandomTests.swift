import Security
import TestSupport
import Testing

@Suite struct `Random bytes` {
    @Test(.requirement("API-24"), arguments: [16, 32, 256, 257, 4096])
    func `fill the whole buffer and differ from draw to draw`(count: Int) {
        var first = [UInt8](repeating: 0, count: count)
        var second = first
        #expect(SecRandomCopyBytes(kSecRandomDefault, count, &first) == errSecSuccess)
        #expect(SecRandomCopyBytes(nil, count, &second) == errSecSuccess)
        #expect(first != second)
        #expect(first.suffix(16).contains { $0 != 0 })
    }

    @Test(.requirement("API-24")) func `touch nothing beyond the count`() {
        var buffer = [UInt8](repeating: 0, count: 64)
        #expect(SecRandomCopyBytes(kSecRandomDefault, 32, &buffer) == errSecSuccess)
        #expect(buffer.suffix(32).allSatisfy { $0 == 0 })
        #expect(SecRandomCopyBytes(kSecRandomDefault, 0, &buffer) == errSecSuccess)
        #expect(SecRandomCopyBytes(kSecRandomDefault, -1, &buffer) == errSecParam)
    }
}

@Suite struct `Shared web credentials` {
    @Test func `come with passwords of four groups of three`() throws {
        let first = try #require(SecCreateSharedWebCredentialPassword()) as String
        let second = try #require(SecCreateSharedWebCredentialPassword()) as String
        let form = /[A-Za-z0-9]{3}(-[A-Za-z0-9]{3}){3}/
        #expect(first.wholeMatch(of: form) != nil)
        #expect(second.wholeMatch(of: form) != nil)
        #expect(first != second)
    }

    @Test func `cannot be stored or asked for`() async {
        let stored = await withCheckedContinuation { continuation in
            SecAddSharedWebCredential("example.com" as CFString, "ada" as CFString, nil) { error in
                continuation.resume(returning: error.map { CFErrorGetCode($0) })
            }
        }
        #expect(stored == Int(errSecUnimplemented))
        let asked = await withCheckedContinuation { continuation in
            SecRequestSharedWebCredential(nil, nil) { entries, error in
                let code = entries == nil ? error.map { CFErrorGetCode($0) } : nil
                continuation.resume(returning: code)
            }
        }
        #expect(asked == Int(errSecUnimplemented))
    }
}
