import Secrets
import Testing

@testable import Cryptography

@Suite struct `Stretching a passcode` {
    private static let cheap = Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)

    // RFC 9106 §5.3.
    @Test func `gives the result of the standard`() throws {
        let key = try Argon2id.stretch(
            Secret(copying: [UInt8](repeating: 1, count: 32)),
            salt: [UInt8](repeating: 2, count: 16),
            pepper: Secret(copying: [UInt8](repeating: 3, count: 8)),
            associating: [UInt8](repeating: 4, count: 12),
            cost: Argon2id.Cost(memoryKiB: 32, passes: 3, lanes: 4)
        )
        let expected: Hex = "0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659"
        #expect(key.copyBytesUnprotected() == expected.bytes)
    }

    // The reference implementation's own test, version 0x13.
    @Test func `gives the result of the reference implementation`() throws {
        let key = try Argon2id.stretch(
            Secret(copying: "password".utf8),
            salt: [UInt8]("somesalt".utf8),
            cost: Argon2id.Cost(memoryKiB: 256, passes: 2, lanes: 1)
        )
        let expected: Hex = "9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe"
        #expect(key.copyBytesUnprotected() == expected.bytes)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var passcode = "1234"
        var salt = [UInt8](repeating: 5, count: 16)
        var pepper: [UInt8] = []
        var associated: [UInt8] = []
        var cost = cheap

        func key() throws -> [UInt8] {
            try Argon2id.stretch(
                Secret(copying: passcode.utf8),
                salt: salt,
                pepper: Secret(copying: pepper),
                associating: associated,
                cost: cost
            ).copyBytesUnprotected()
        }
    }

    @Test(arguments: [
        Change(testDescription: "the passcode", passcode: "1235"),
        Change(testDescription: "the salt", salt: [UInt8](repeating: 6, count: 16)),
        Change(testDescription: "the pepper", pepper: [1]),
        Change(testDescription: "the associated data", associated: [1]),
        Change(testDescription: "the memory", cost: .init(memoryKiB: 40, passes: 1, lanes: 1)),
        Change(testDescription: "the passes", cost: .init(memoryKiB: 32, passes: 2, lanes: 1)),
        Change(testDescription: "the lanes", cost: .init(memoryKiB: 32, passes: 1, lanes: 2)),
    ])
    func `gives another key with another value of`(change: Change) throws {
        #expect(try change.key() != Change(testDescription: "nothing").key())
    }

    @Test func `accepts an empty passcode`() throws {
        #expect(try Change(testDescription: "empty", passcode: "").key().count == 32)
    }

    @Test(arguments: [
        Argon2id.Cost(memoryKiB: .max, passes: 1, lanes: 1),
        Argon2id.Cost(memoryKiB: 1024 * 1024 + 1, passes: 1, lanes: 1),
        Argon2id.Cost(memoryKiB: 7, passes: 1, lanes: 1),
        Argon2id.Cost(memoryKiB: 31, passes: 1, lanes: 4),
        Argon2id.Cost(memoryKiB: 0, passes: 0, lanes: 0),
        Argon2id.Cost(memoryKiB: 64, passes: 0, lanes: 1),
        Argon2id.Cost(memoryKiB: 64, passes: 65, lanes: 1),
        Argon2id.Cost(memoryKiB: 64, passes: .max, lanes: 1),
        Argon2id.Cost(memoryKiB: 1024, passes: 1, lanes: 0),
        Argon2id.Cost(memoryKiB: 1024, passes: 1, lanes: 17),
        Argon2id.Cost(memoryKiB: 1024, passes: 1, lanes: .max),
    ])
    func `refuses a hostile cost before spending it`(cost: Argon2id.Cost) {
        let change = Change(testDescription: "hostile", cost: cost)
        #expect {
            try change.key()
        } throws: { error in
            if case .invalidInput? = error as? CryptographyError { true } else { false }
        }
    }

    @Test(arguments: [0, 7, 65])
    func `refuses a salt outside its limits`(byteCount: Int) {
        let salt = [UInt8](repeating: 0, count: byteCount)
        #expect(throws: CryptographyError.invalidInput("salt not of 8 to 64 bytes")) {
            try Change(testDescription: "salt", salt: salt).key()
        }
    }

    @Test(arguments: [Argon2id.Cost.minimum, .interactive])
    func `knows costs that are within the limits`(cost: Argon2id.Cost) {
        #expect(throws: Never.self) { try cost.validate() }
    }
}
