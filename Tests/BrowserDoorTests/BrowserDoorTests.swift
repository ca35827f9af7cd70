import JSON
import KeychainModel
import Secrets
import Testing

@testable import BrowserDoor

@Suite struct `The door for browsers` {
    struct Decision: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let url: String
        let passwords: [SamplePassword]
        /// As ``BrowserAnswer/line`` has it.
        let expected: String
        var account = ""
        var isNext = false
        var accepted: BrowserOffer?

        init(
            _ description: String,
            _ url: String,
            _ passwords: [SamplePassword],
            account: String = "",
            isNext: Bool = false,
            accepts accepted: BrowserOffer? = nil,
            gets expected: String
        ) {
            testDescription = description
            self.url = url
            self.passwords = passwords
            self.account = account
            self.isNext = isNext
            self.accepted = accepted
            self.expected = expected
        }

        var request: BrowserRequest {
            var request = BrowserRequest(url: url)
            request.account = account
            request.isNext = isNext
            request.accepted = accepted
            return request
        }
    }

    private static let page = "https://shop.example/login"
    private static let subpage = "https://login.bank.com/"
    private static let one = [SamplePassword()]
    private static let two = [
        SamplePassword(account: "ann", modified: 1), SamplePassword(account: "bob", modified: 2),
    ]
    private static let bank = [SamplePassword(server: "www.bank.com", account: "carol")]
    private static let carol = BrowserOffer(server: "www.bank.com", account: "carol")
    /// Two hosts of a domain; the page is of a third.
    private static let sites = [
        SamplePassword(server: "payroll.example.net", account: "admin", modified: 1),
        SamplePassword(server: "wiki.example.net", account: "ann", modified: 2),
    ]
    private static let sibling = "https://evil.example.net/"
    private static let wiki = BrowserOffer(server: "wiki.example.net", account: "ann")
    private static let payroll = BrowserOffer(server: "payroll.example.net", account: "admin")

    @Test(arguments: [
        Decision("the same host", page, one, gets: "ann open sesame 1"),
        Decision("no item", page, [], gets: "none no-item"),
        Decision("a look-alike", "https://sh0p.example/", one, gets: "none look-alike"),
        Decision(
            "a longer host",
            "https://shop.example.evil.example/",
            one,
            gets: "none look-alike"
        ),
        Decision("another host", "https://other.example/", one, gets: "none no-item"),
        Decision("http", "http://shop.example/login", one, gets: "none other-scheme"),
        Decision("another port", "https://shop.example:8443/", one, gets: "none other-port"),
        Decision("a user in the URL", "https://a@shop.example/", one, gets: "none user-in-url"),
        Decision("a file", "file:///etc/passwd", one, gets: "none scheme-not-web"),
        Decision("no URL", "shop.example", one, gets: "none page-not-url"),
        Decision(
            "an item for a dialog of HTTP",
            page,
            [SamplePassword(authenticationType: "http")],
            gets: "none not-for-forms"
        ),
        Decision("the newest of two accounts", page, two, gets: "bob open sesame 2"),
        Decision("the account in the form", page, two, account: "ann", gets: "ann open sesame 2"),
        Decision("no such account", page, two, account: "eve", gets: "none other-account"),
        Decision(
            "the next account",
            page,
            two,
            account: "bob",
            isNext: true,
            gets: "ann open sesame 2"
        ),
        Decision(
            "the first account after the last",
            page,
            two,
            account: "ann",
            isNext: true,
            gets: "bob open sesame 2"
        ),
        Decision("a host of the same domain", subpage, bank, gets: "offer www.bank.com carol"),
        Decision("a second click", subpage, bank, accepts: carol, gets: "carol open sesame 1"),
        Decision(
            "the offer of the account that the form names",
            sibling,
            sites,
            account: "admin",
            gets: "offer payroll.example.net admin"
        ),
        Decision(
            "a form that names another account after the offer",
            sibling,
            sites,
            account: "admin",
            accepts: wiki,
            gets: "offer payroll.example.net admin"
        ),
        Decision(
            "a form that wants the next account after the offer",
            sibling,
            sites,
            account: "ann",
            isNext: true,
            accepts: wiki,
            gets: "offer payroll.example.net admin"
        ),
        Decision(
            "an accepted account of another server",
            sibling,
            sites,
            accepts: BrowserOffer(server: "payroll.example.net", account: "ann"),
            gets: "offer wiki.example.net ann"
        ),
        Decision(
            "the very item that was accepted",
            sibling,
            sites,
            account: "admin",
            accepts: payroll,
            gets: "admin open sesame 2"
        ),
        Decision(
            "no such account in the domain",
            sibling,
            sites,
            account: "eve",
            accepts: wiki,
            gets: "none other-account"
        ),
        Decision(
            "the host itself before its domain",
            subpage,
            bank + [SamplePassword(server: "login.bank.com", account: "dora")],
            accepts: carol,
            gets: "dora open sesame 1"
        ),
        Decision(
            "a second click on another domain",
            "https://www.tank.com/",
            bank,
            accepts: carol,
            gets: "none no-item"
        ),
    ])
    func `decides by the page, the items and the form`(row: Decision) {
        let keychain = SampleKeychain(row.passwords)
        #expect(keychain.door.answer(row.request).line == row.expected)
        // A refusal and an offer have read no secret.
        let isFilled = !row.expected.hasPrefix("none") && !row.expected.hasPrefix("offer")
        #expect(keychain.queries.count == (isFilled ? 1 : 0))
    }

    @Test func `says in a prompt which account it fills in, and where`() {
        let keychain = SampleKeychain(Self.one)
        _ = keychain.door.answer(BrowserRequest(url: "https://shop.example/login?next=/#top"))
        let expected = AttributeValue.string(
            "to fill in ann of shop.example at https://shop.example"
        )
        #expect(keychain.queries.map { $0[QueryKey.useOperationPrompt.rawValue] } == [expected])
    }

    @Test(arguments: [SecurityStatus.interactionNotAllowed, .userCanceled, .authFailed])
    func `passes on why the secret is out of reach`(status: SecurityStatus) {
        let keychain = SampleKeychain(Self.one, error: KeychainError(status, "because"))
        let answer = keychain.door.answer(BrowserRequest(url: Self.page))
        #expect(answer.line == "none \(status.name)")
    }

    @Test func `says that the keychain is locked if no server is known`() {
        let locked = KeychainError(.interactionNotAllowed, "locked")
        let keychain = SampleKeychain([], closed: locked)
        let answer = keychain.door.answer(BrowserRequest(url: Self.page))
        #expect(answer.line == "none locked")
    }

    @Test(arguments: [[0xFF], [0x61, 0x0A], [0x00], [0x7F], [0xED, 0xA0, 0x80]] as [[UInt8]])
    func `hands out no secret that a field cannot take`(secret: [UInt8]) {
        let keychain = SampleKeychain(Self.one, secret: secret)
        let answer = keychain.door.answer(BrowserRequest(url: Self.page))
        #expect(answer.line == "none not-text")
    }

    @Test func `writes JSON that gives the same password back`() throws {
        let password = #"ä"\/\u0041 €\#u{1F511}"#
        let keychain = SampleKeychain(Self.one, secret: password.utf8)
        let message = #"{"version":1,"request":"fill","url":"https://shop.example/"}"#
        let answer = keychain.door.answer(to: Array(message.utf8)).secret.copyBytesUnprotected()
        let found = try JSONText.read(Array(answer.dropFirst(4))) { text throws(JSONError) in
            text.text(text.node(at: ["password"]))
        }
        #expect(found == password)
    }

    @Test func `refuses an answer that no browser takes`() {
        let secret = [UInt8](repeating: UInt8(ascii: "a"), count: NativeMessage.outgoingLimit)
        let keychain = SampleKeychain(Self.one, secret: secret)
        let message = #"{"version":1,"request":"fill","url":"https://shop.example/"}"#
        let answer = keychain.door.answer(to: Array(message.utf8)).secret.copyBytesUnprotected()
        #expect(String(decoding: answer, as: UTF8.self).contains(#""code": "too-long""#))
    }
}
