import Testing

@testable import KeychainCommand

@Suite struct `Forms of output` {
    @Test(
        arguments: [
            (0.0, "2001-01-01T00:00:00Z"), (762_523_200.5, "2025-03-01T12:00:00Z"),
            (-1.0, "2000-12-31T23:59:59Z"), (.nan, nil), (.infinity, nil), (1e300, nil),
            (-63_145_526_401, nil), (9e11, nil),
        ] as [(Double, String?)]
    )
    func `a moment is written in UTC or not at all`(seconds: Double, text: String?) {
        #expect(Timestamp(secondsSinceReference: seconds)?.extended == text)
    }

    @Test(
        arguments: [
            ("abcd", 0x6162_6364), ("ftp", 0x6674_7020), ("", nil), ("abcde", nil), ("ü", nil),
            ("a\n", nil),
        ] as [(String, Int64?)]
    )
    func `four letters are a number`(text: String, number: Int64?) {
        #expect(FourLetterCode.number(of: text) == number)
    }

    @Test(
        arguments: [
            (0x6162_6364, "abcd"), (0, nil), (-1, nil), (0x1_6162_6364, nil), (443, nil),
        ] as [(Int64, String?)]
    )
    func `a number is four letters only if all are printable`(number: Int64, text: String?) {
        #expect(FourLetterCode.text(of: number) == text)
    }

    @Test(
        arguments: [
            ("ak", "ak"), ("WhenUnlocked", "ak"), ("afterfirstunlock", "ck"), ("CKU", "cku"),
            ("kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly", "akpu"), ("", nil),
            ("unlocked", nil),
        ] as [(String, String?)]
    )
    func `a protection class has a code, a name and a constant`(text: String, code: String?) {
        #expect(ProtectionName.protection(text)?.code == code)
    }

    @Test(
        arguments: [
            ("-25300", -25300), ("4294941996", -25300), ("0xffff9d2c", -25300), ("-0x32", -50),
            ("ERRSECPARAM", -50), ("0", 0), ("-2147483648", .min), ("", nil), ("-", nil),
            ("0x", nil),
            ("+5", nil), ("-+5", nil), ("4294967296", nil), ("-2147483649", nil), ("errSec", nil),
            ("5 ", nil),
        ] as [(String, Int32?)]
    )
    func `a code is read in every form or refused`(word: String, code: Int32?) {
        #expect(ErrorLookup.status(word)?.rawValue == code)
    }

    @Test func `columns are as wide as their widest cell`() throws {
        let terminal = TestTerminal()
        try TextTable.page([["a", "b"], ["longer", "x"], ["c"]]).write(to: terminal, .output)
        #expect(terminal.outputText == "a       b\nlonger  x\nc\n")
    }

    @Test func `JSON is sorted and indented`() throws {
        let terminal = TestTerminal()
        let value = JSONValue.object([
            "b": .list([.number(1), .flag(true)]), "a": .object([:]), "c": .null,
        ])
        try value.page.write(to: terminal, .output)
        let text = """
            {
              "a": {},
              "b": [
                1,
                true
              ],
              "c": null
            }

            """
        #expect(terminal.outputText == text)
    }
}
