import CallerEvidence
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Testing

@testable import KeychainAudit

/// A text that somebody else chose, such as the path of an executable.
private let hostileTexts = [
    "", "-", "--", "\\", "\\u{41}", "a\tb", "a\nb", "a\r\nb", "\u{1B}[31mred", "\u{0}", "\u{7F}",
    "\u{85}", "\u{202E}gpj.exe", "\u{2028}", "\u{FEFF}x", "ü", "👩‍👩‍👧", " ", "a b",
]

/// Bytes that are no line.
private let noLines: [String] = [
    "", "\t", "1", "1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11",
    good.replacing("1\t1970", with: "01\t1970"),
    good.replacing("1\t1970", with: "+1\t1970"),
    good.replacing("1\t1970", with: "-1\t1970"),
    good.replacing("1\t1970", with: "18446744073709551616\t1970"),
    good.replacing("1970-01-01", with: "1970-02-30"),
    good.replacing("1970-01-01", with: "1969-12-31"),
    good.replacing("1970-01-01", with: "1970-13-01"),
    good.replacing("T00:00:00Z", with: "T24:00:00Z"),
    good.replacing("T00:00:00Z", with: "T00:00:00z"),
    good.replacing("verified", with: "root"),
    good.replacing("\t0\t", with: "\t00\t"),
    good.replacing("\t0\t", with: "\t2147483648\t"),
    good.replacing("\t0\t", with: "\t\t"),
    good.replacing("0a0b", with: "0a0"),
    good.replacing("0a0b", with: "0A0B"),
    good.replacing("0a0b", with: String(repeating: "00", count: 33)),
    good.replacing("/usr/bin/mailer", with: "\\"),
    good.replacing("/usr/bin/mailer", with: "\\u{"),
    good.replacing("/usr/bin/mailer", with: "\\u{}"),
    good.replacing("/usr/bin/mailer", with: "\\u{41}"),
    good.replacing("/usr/bin/mailer", with: "\\u{d800}"),
    good.replacing("/usr/bin/mailer", with: "\\u{fffffff}"),
    good.replacing("/usr/bin/mailer", with: "\\u{0000007f}"),
    good.replacing("/usr/bin/mailer", with: "\u{1B}"),
    good.replacing("/usr/bin/mailer", with: String(repeating: "a", count: 1025)),
    String(good.dropLast()), good + "0", good + "\t",
]

private let good =
    "1\t1970-01-01T00:00:00Z\tverified\t/usr/bin/mailer\tfind\tgenp\tmail\t0a0b\t0\tpolicy\t"
    + "000102030405060708090a0b0c0d0e0f"

@Suite struct `A line of a log` {
    @Test func `is read as it was written`() throws {
        let line = try #require(StoredLine(parsing: Array(good.utf8)[...]))
        #expect(line.text == Array((good + "\n").utf8))
        #expect(line.line.program == "/usr/bin/mailer")
        #expect(line.line.itemDigest == [10, 11])
    }

    @Test(arguments: hostileTexts)
    func `stays one line of the same fields, whatever a program is called`(name: String) throws {
        var line = LogLine.find()
        line.program = name
        line.group = name
        let stored = StoredLine(number: 5, line: line, code: [UInt8](repeating: 1, count: 16))
        let text = stored.text
        #expect(text.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(text.count { $0 == UInt8(ascii: "\t") } == 10)
        #expect(!text.dropLast().contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") })
        #expect(StoredLine(parsing: text.dropLast()) == stored)
    }

    @Test func `keeps the beginning of a long name`() throws {
        var line = LogLine.find()
        line.group = String(repeating: "ü", count: 100_000)
        let stored = StoredLine(number: 5, line: line, code: [UInt8](repeating: 1, count: 16))
        #expect(stored.text.count < 1300)
        let read = try #require(StoredLine(parsing: stored.text.dropLast()))
        #expect(read.line.group == String(repeating: "ü", count: 510) + "…")
    }

    @Test(arguments: noLines)
    func `is nothing else`(text: String) {
        #expect(StoredLine(parsing: Array(text.utf8)[...]) == nil)
    }

    @Test func `is no text that is not UTF-8`() {
        let bytes = Array(good.utf8).map { $0 == UInt8(ascii: "m") ? 0xFF : $0 }
        #expect(StoredLine(parsing: bytes[...]) == nil)
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"), (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
        ] as [(Int64, String)]
    )
    func `has the time of the calendar`(seconds: Int64, text: String) {
        #expect(LogTime.text(seconds) == text)
        #expect(LogTime.seconds(Array(text.utf8)[...]) == seconds)
    }

    @Test(arguments: [(Int64.min, "1970-01-01T00:00:00Z"), (.max, "9999-12-31T23:59:59Z")])
    func `has the nearest time for a clock that is wrong`(seconds: Int64, text: String) {
        #expect(LogTime.text(seconds) == text)
    }

    @Test(arguments: [
        "keychain-log-head\t1\t", "", String(repeating: "0", count: LogHead.byteCount),
        String(repeating: "\t", count: LogHead.byteCount),
    ])
    func `is no head, and neither are other bytes`(text: String) {
        #expect(LogHead(parsing: Array(text.utf8)) == nil)
        #expect(LogHeader(parsing: Array(text.utf8)[...]) == nil)
    }

    @Test(
        arguments: [
            (0, LogLine.Outcome.allowed), (-34018, .denied), (-25293, .denied), (-25300, .failed),
            (-25308, .failed),
        ] as [(Int32, LogLine.Outcome)]
    )
    func `says what became of the call`(status: Int32, outcome: LogLine.Outcome) {
        #expect(LogLine.find(status: status).outcome == outcome)
    }
}

@Suite struct `The digest of an item in a log` {
    private let place = LogPlace()
    private let mail: AttributeDictionary = [.account: .string("alice"), .service: .string("mail")]

    @Test func `has 8 bytes and is the same for text and data`() throws {
        let log = try place.open()
        let digest = log.itemDigest(.genericPassword, mail)
        #expect(digest.count == 8)
        let bytes: AttributeDictionary = [
            .account: .data(Array("alice".utf8)), .service: .string("mail"), .label: .string("x"),
            .accessGroup: .string("other"),
        ]
        #expect(log.itemDigest(.genericPassword, bytes) == digest)
        #expect(log.itemDigest(.genericPassword, mail, isAdd: true) == digest)
    }

    @Test func `differs by value, class and key`() throws {
        let log = try place.open()
        let digest = log.itemDigest(.genericPassword, mail)
        let swapped: AttributeDictionary = [.service: .string("alice"), .account: .string("mail")]
        #expect(log.itemDigest(.genericPassword, swapped) != digest)
        #expect(log.itemDigest(.internetPassword, mail, isAdd: true) != digest)
        let other = LogPlace()
        let foreign = try other.open(key: 8)
        #expect(foreign.itemDigest(.genericPassword, mail) != digest)
    }

    @Test func `is empty for a call that names no whole primary key`() throws {
        let log = try place.open()
        #expect(log.itemDigest(.genericPassword, [.account: .string("alice")]) == [])
        #expect(log.itemDigest(.genericPassword, [:]) == [])
        #expect(log.itemDigest(.genericPassword, [:], isAdd: true) == [])
        #expect(log.itemDigest(.internetPassword, [.server: .string("example.org")]) == [])
        #expect(log.itemDigest(.identity, mail) == [])
        #expect(
            log.itemDigest(
                .genericPassword,
                [.account: .null, .service: .unsupported(typeName: "x")]
            ) == []
        )
    }
}
