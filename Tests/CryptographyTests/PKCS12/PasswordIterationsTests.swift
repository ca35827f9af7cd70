import Testing

@testable import Cryptography

@Suite struct `The work a password costs` {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let identifier: [UInt8]
        let isAcceptable: Bool
    }

    private static func identifier(_ type: Hex, _ parameters: [UInt8]) -> [UInt8] {
        DER.sequence(DER.element(DERTag.objectIdentifier, type.bytes), parameters)
    }

    /// Parameters of PKCS#12, PBES1 or PBKDF2.
    private static func counted(_ count: [UInt8]) -> [UInt8] {
        DER.sequence(DER.element(DERTag.octetString, [1, 2, 3]), DER.unsignedInteger(count))
    }

    private static func scrypt(_ cost: [UInt8], _ size: UInt8, _ lanes: UInt8) -> [UInt8] {
        scrypt(cost, [size], [lanes])
    }

    private static func scrypt(_ cost: [UInt8], _ size: [UInt8], _ lanes: [UInt8]) -> [UInt8] {
        let type: Hex = "2B06010401DA47040B"
        let parameters = DER.sequence(
            DER.element(DERTag.octetString, [1, 2, 3]),
            DER.unsignedInteger(cost),
            DER.unsignedInteger(size),
            DER.unsignedInteger(lanes)
        )
        return identifier(type, parameters)
    }

    /// An AlgorithmIdentifier of PBES2 around one of a key derivation.
    private static func pbes2(_ derivation: [UInt8]) -> [UInt8] {
        identifier("2A864886F70D01050D", DER.sequence(derivation, DER.sequence()))
    }

    private static let huge = [UInt8](repeating: 0xFF, count: 3)
    private static let rc2: Hex = "2A864886F70D010C0106"
    private static let pbkdf2: Hex = "2A864886F70D01050C"

    static let cases = [
        Case(
            testDescription: "RC2, 2048",
            identifier: identifier(rc2, counted([0x08, 0x00])),
            isAcceptable: true
        ),
        Case(
            testDescription: "RC2, the limit",
            identifier: identifier(rc2, counted([0x4C, 0x4B, 0x40])),
            isAcceptable: true
        ),
        Case(
            testDescription: "RC2, over the limit",
            identifier: identifier(rc2, counted([0x4C, 0x4B, 0x41])),
            isAcceptable: false
        ),
        Case(
            testDescription: "RC2, a huge number",
            identifier: identifier(rc2, counted([UInt8](repeating: 0xFF, count: 100))),
            isAcceptable: false
        ),
        Case(
            testDescription: "PBKDF2, 1000000",
            identifier: pbes2(identifier(pbkdf2, counted([0x0F, 0x42, 0x40]))),
            isAcceptable: true
        ),
        Case(
            testDescription: "PBKDF2, over the limit",
            identifier: pbes2(identifier(pbkdf2, counted([0x7F, 0xFF, 0xFF]))),
            isAcceptable: false
        ),
        Case(
            testDescription: "scrypt, 16384, 8, 1",
            identifier: pbes2(scrypt([0x40, 0x00], 8, 1)),
            isAcceptable: true
        ),
        Case(
            testDescription: "scrypt, 1048576, 8, 1",
            identifier: pbes2(scrypt([0x10, 0x00, 0x00], 8, 1)),
            isAcceptable: false
        ),
        Case(
            testDescription: "scrypt, huge numbers whose product overflows",
            identifier: pbes2(scrypt(huge, huge, huge)),
            isAcceptable: false
        ),
        Case(
            testDescription: "PBES2 in PBES2",
            identifier: pbes2(pbes2(identifier(pbkdf2, counted([1])))),
            isAcceptable: false
        ),
        Case(
            testDescription: "no parameters",
            identifier: DER.sequence(DER.element(DERTag.objectIdentifier, rc2.bytes)),
            isAcceptable: false
        ),
        Case(testDescription: "nothing", identifier: [], isAcceptable: false),
    ]

    @Test(arguments: cases)
    func `is known before it is done`(row: Case) {
        #expect(PasswordIterations.areAcceptable(row.identifier) == row.isAcceptable)
    }

    @Test func `is limited for the parts of a file together`() {
        var budget = PasswordIterations.Budget()
        let limit = PasswordIterations.limit
        let answers = ([Int](repeating: limit, count: 10) + [1, 0]).map { budget.spend($0) }
        #expect(answers == [Bool](repeating: true, count: 10) + [false, true])
    }
}
