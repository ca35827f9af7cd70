import TestSupport
import Testing

@testable import AutoFill

/// An item of a server; https and a form, unless a test changes it.
private func item(
    _ server: String,
    _ account: String = "ada",
    _ change: (inout AutoFillCandidate) -> Void = { _ in }
) -> AutoFillCandidate {
    var item = AutoFillCandidate(server: server, protocolName: "htps", account: account)
    change(&item)
    return item
}

private func answer(
    _ url: String,
    _ items: AutoFillCandidate...,
    account: String? = nil
) throws -> AutoFillAnswer {
    AutoFillMatcher.answer(for: try PageAddress(url), among: items, account: account)
}

@Suite struct `Matching a page` {
    @Test(arguments: [
        (url: "https://example.com/login", server: "example.com"),
        (url: "https://example.com", server: "EXAMPLE.com"),
        (url: "https://login.example.com", server: "login.example.com"),
        (url: "https://xn--bcher-kva.example/", server: "bücher.example"),
        (url: "https://bücher.example/", server: "xn--bcher-kva.example"),
        (url: "https://127.0.0.1/", server: "127.0.0.1"),
        (url: "https://[::1]/", server: "0:0::1"),
        (url: "https://localhost/", server: "localhost"),
        (url: "https://intranet/", server: "intranet"),
        (url: "https://github.io/", server: "github.io"),
        (url: "https://exаmple.com/", server: "exаmple.com"),
    ])
    func `finds the item of the same host`(url: String, server: String) throws {
        let found = try answer(url, item(server))
        #expect(found.matches.map(\.closeness) == [.exactHost])
        #expect(found.reason == nil)
    }

    @Test(arguments: [
        (url: "https://www.example.com", server: "example.com"),
        (url: "https://example.com", server: "www.example.com"),
        (url: "https://a.example.co.uk", server: "b.example.co.uk"),
        (url: "https://m.bücher.de", server: "bücher.de"),
    ])
    func `finds items of the registered domain`(url: String, server: String) throws {
        #expect(try answer(url, item(server)).matches.map(\.closeness) == [.sameDomain])
    }

    private static let refused: [(String, AutoFillCandidate, AutoFillRefusal)] = [
        ("https://example.com", item("example.org"), .otherHost),
        ("https://myexample.com", item("example.com"), .otherHost),
        ("https://b.co.uk", item("a.co.uk"), .otherOwner(suffix: "co.uk")),
        ("https://bob.github.io", item("alice.github.io"), .otherOwner(suffix: "github.io")),
        ("https://alice.github.io", item("github.io"), .otherOwner(suffix: "github.io")),
        ("https://example.com", item("com"), .otherOwner(suffix: "com")),
        ("https://a.nas.internal", item("nas.internal"), .onlyExactHost),
        ("https://app.localhost", item("localhost"), .onlyExactHost),
        ("https://127.0.0.2", item("127.0.0.1"), .otherHost),
        ("https://exаmple.com", item("example.com"), .lookAlike(of: "example.com")),
        ("https://example.com.evil.org", item("example.com"), .lookAlike(of: "example.com")),
        ("https://exаmple.com", item("www.exаmple.com"), .mixedScripts),
        (
            "http://example.com", item("example.com"),
            .otherScheme(item: "https", page: "http")
        ),
        (
            "http://example.com", item("example.com") { $0.protocolName = nil },
            .otherScheme(item: "https", page: "http")
        ),
        (
            "https://example.com", item("example.com") { $0.protocolName = "http" },
            .otherScheme(item: "http", page: "https")
        ),
        (
            "https://example.com", item("example.com") { $0.protocolName = "imps" },
            .otherScheme(item: "imaps", page: "https")
        ),
        ("https://example.com:8443", item("example.com"), .otherPort(item: 443, page: 8443)),
        (
            "https://example.com", item("example.com") { $0.port = 8443 },
            .otherPort(item: 8443, page: 443)
        ),
        (
            "https://example.com", item("example.com") { $0.authenticationType = "http" },
            .notForForms("http")
        ),
        ("https://example.com", item("example.com") { $0.isNegative = true }, .negative),
        ("https://example.com", item(""), .noServer),
        ("https://example.com", item("https://example.com"), .serverNotHost),
        ("https://example.com", item("example.com."), .serverNotHost),
    ]

    @Test(arguments: refused)
    func `refuses every other item with its reason`(
        url: String,
        item: AutoFillCandidate,
        reason: AutoFillRefusal
    ) throws {
        let found = try answer(url, item)
        #expect(found.matches.isEmpty)
        #expect(found.denials == [AutoFillDenial(candidate: item, reason: reason)])
    }

    @Test(.requirement("CLS-27"))
    func `sees internet passwords only`() throws {
        let generic = item("example.com") { $0.isInternetPassword = false }
        let found = try answer("https://example.com", generic)
        #expect(found.matches.isEmpty)
        #expect(found.reason == .notInternetPassword)
        let both = try answer("https://example.com", generic, item("example.com", "grace"))
        #expect(both.matches.map(\.candidate.account) == ["grace"])
    }

    @Test func `orders by host, path, age and name`() throws {
        let items = [
            item("www.example.com", "other host") { $0.modified = 9 },
            item("example.com", "other path") { $0.path = "/admin" },
            item("example.com", "b"), item("example.com", "a"),
            item("example.com", "new") { $0.modified = 2 },
            item("example.com", "team") { $0.path = "/team" },
            item("example.com", "team of ten") { $0.path = "/team/ten/" },
        ]
        let page = try PageAddress("https://example.com/team/ten/login")
        let found = AutoFillMatcher.answer(for: page, among: items)
        #expect(
            found.matches.map(\.candidate.account)
                == ["team of ten", "team", "new", "a", "b", "other path", "other host"]
        )
    }

    @Test func `names the nearest miss`() throws {
        let far = item("example.org")
        let port = item("example.com") { $0.port = 1 }
        #expect(try answer("https://example.com").reason == .noItem)
        #expect(try answer("https://example.com", far).reason == .noItem)
        let found = try answer("https://example.com", far, port, item(""))
        #expect(found.reason == .otherPort(item: 1, page: 443))
        let other = try answer("https://example.com", item("example.com"), account: "grace")
        #expect(other.reason == .otherAccount)
    }
}

@Suite struct `Reasons` {
    private static let all: [AutoFillRefusal] = [
        .pageNotURL, .schemeNotWeb("ftp"), .userInURL, .hostMissing, .hostNotValid, .trailingDot,
        .portNotValid, .notInternetPassword, .noServer, .serverNotHost, .otherHost,
        .lookAlike(of: "a"), .otherOwner(suffix: "a"), .onlyExactHost, .mixedScripts,
        .otherScheme(item: "a", page: "b"), .otherPort(item: 1, page: 2), .notForForms("a"),
        .negative, .otherAccount, .noAssociatedDomains, .entryNotValid("a"),
        .domainNotAssociated("a"), .modeIsOff("a", domain: "b"), .associationFileMissing("a"),
        .associationFileNotValid("a", .signed), .appNotListed("a", domain: "b"), .noItem, .locked,
    ]

    @Test func `have a code each, and a sentence`() {
        #expect(Set(all.map(\.code)).count == all.count)
        #expect(Set(all.map(\.sentence)).count == all.count)
        #expect(all.map(\.sentence).allSatisfy { $0.hasSuffix(".") })
    }

    private var all: [AutoFillRefusal] { Self.all }
}
