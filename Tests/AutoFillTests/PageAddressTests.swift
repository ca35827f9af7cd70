import TestSupport
import Testing

@testable import AutoFill

@Suite struct `Page addresses` {
    @Test(arguments: [
        (url: "https://example.com", origin: "https://example.com", path: ""),
        (url: "HTTPS://Example.COM:443/a/b?c#d", origin: "https://example.com", path: "/a/b"),
        (url: "http://example.com:8080/", origin: "http://example.com:8080", path: "/"),
        (url: "https://example.com:/x", origin: "https://example.com", path: "/x"),
        (url: "https://[::1]:8443/", origin: "https://[::1]:8443", path: "/"),
        (url: "https://bücher.example?q=@", origin: "https://xn--bcher-kva.example", path: ""),
        (url: "https://example.com#@evil.org", origin: "https://example.com", path: ""),
    ])
    func `are an origin and a path`(url: String, origin: String, path: String) throws {
        let page = try PageAddress(url)
        #expect(page.origin == origin)
        #expect(page.path == path)
    }

    @Test func `that a person types may leave out the scheme`() throws {
        #expect(try PageAddress(typed: "example.com/a").origin == "https://example.com")
        #expect(try PageAddress(typed: "http://example.com").origin == "http://example.com")
    }

    private static let wrong: [(String, AutoFillRefusal)] = [
        ("", .pageNotURL), ("example.com", .pageNotURL), ("https:", .pageNotURL),
        ("https:/example.com", .pageNotURL), ("https:example.com", .pageNotURL),
        ("//example.com", .pageNotURL), (" https://example.com", .pageNotURL),
        ("https://example.com\\@evil.org", .pageNotURL), ("https://exa\tmple.com", .pageNotURL),
        ("https://example.com/\u{0}", .pageNotURL), ("1http://example.com", .pageNotURL),
        ("file:///etc/passwd", .schemeNotWeb("file")), ("data:text/html,", .schemeNotWeb("data")),
        ("javascript://example.com/%0aalert(1)", .schemeNotWeb("javascript")),
        ("ftp://example.com/", .schemeNotWeb("ftp")), ("about:blank", .schemeNotWeb("about")),
        ("https://example.com@evil.org/", .userInURL), ("https://a:b@example.com", .userInURL),
        ("https://@example.com", .userInURL),
        ("https://", .hostMissing), ("https:///example.com", .hostMissing),
        ("https://:443/", .hostMissing), ("https://example.com./", .trailingDot),
        ("https://exa%6Dple.com/", .hostNotValid), ("https://[::1", .hostNotValid),
        ("https://[::1]x", .hostNotValid), ("https://127.1/", .hostNotValid),
        ("https://example.com:0/", .portNotValid), ("https://example.com:65536/", .portNotValid),
        ("https://example.com:-1/", .portNotValid), ("https://example.com:8o/", .portNotValid),
        ("https://example.com:+80/", .portNotValid), ("https://a:1:2/", .portNotValid),
    ]

    @Test(arguments: wrong)
    func `that are doubtful are refused with a reason`(url: String, reason: AutoFillRefusal) {
        #expect(throws: reason) { try PageAddress(url) }
    }
}
