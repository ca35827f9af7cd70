import Testing

@testable import BrowserDoor

@Suite struct `A request of the extension` {
    struct Malformed: Sendable, CustomTestStringConvertible {
        let message: String
        /// A part of the reason.
        let reason: String
        var testDescription: String { String(message.prefix(60)) }

        init(_ message: String, _ reason: String) {
            self.message = message
            self.reason = reason
        }
    }

    private static let whole =
        #"{"version":1,"request":"fill","url":"https://a.example/x","account":"b","next":true,"#
        + #""accepts":{"server":"b.example","account":"c"}}"#

    @Test func `is read`() throws {
        var expected = BrowserRequest(url: "https://a.example/x")
        expected.account = "b"
        expected.isNext = true
        expected.accepted = BrowserOffer(server: "b.example", account: "c")
        #expect(try BrowserRequest(message: Array(Self.whole.utf8)) == expected)
    }

    @Test(arguments: [
        Malformed("", "not valid"),
        Malformed("[]", "no object"),
        Malformed("{", "not valid"),
        Malformed(whole + "x", "data after the end"),
        Malformed(#"{"version":1,"version":1}"#, "twice"),
        Malformed(#"{"version":2,"request":"fill","url":"u"}"#, "different versions"),
        Malformed(#"{"version":"1","request":"fill","url":"u"}"#, "different versions"),
        Malformed(#"{"request":"fill","url":"u"}"#, "different versions"),
        Malformed(#"{"version":1,"request":"store","url":"u"}"#, "unknown"),
        Malformed(#"{"version":1,"request":"fill"}"#, "no url"),
        Malformed(#"{"version":1,"request":"fill","url":7}"#, "no url"),
        Malformed(#"{"version":1,"request":"fill","url":"u","account":[]}"#, "account"),
        Malformed(#"{"version":1,"request":"fill","url":"u","next":1}"#, "a next of"),
        Malformed(#"{"version":1,"request":"fill","url":"u","accepts":true}"#, "accepts"),
        Malformed(
            #"{"version":1,"request":"fill","url":"u","accepts":{"server":"s"}}"#,
            "accepts"
        ),
        Malformed(String(repeating: "[", count: 60_000), "nested"),
        Malformed(#"{"version":1,"request":"fill","url":"\ud800"}"#, "not text"),
    ])
    func `is refused with a reason`(row: Malformed) {
        #expect {
            _ = try BrowserRequest(message: Array(row.message.utf8))
        } throws: {
            ($0 as? BrowserRequestError)?.reason.contains(row.reason) ?? false
        }
    }

    @Test func `gets an answer also where it is not valid`() {
        let answer = SampleKeychain([]).door.answer(to: [0xFF]).secret.copyBytesUnprotected()
        let text = String(decoding: answer.dropFirst(4), as: UTF8.self)
        #expect(text.contains(#""code": "message""#))
        #expect(answer.count - 4 == Int(answer[0]) + Int(answer[1]) << 8)
    }
}
