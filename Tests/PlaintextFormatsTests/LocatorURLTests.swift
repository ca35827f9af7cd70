import Testing

@testable import PlaintextFormats

/// A URL, and its parts.
private struct URLParts: CustomTestStringConvertible {
    let text: String
    let scheme: String
    var user: String?
    let host: String
    var port: UInt16?
    var path = ""

    var testDescription: String { text }
}

@Suite struct `The URL of a credential` {
    @Test(
        arguments: [
            URLParts(text: "https://h", scheme: "https", host: "h"),
            URLParts(
                text: "HTTP://u@H:80/a/b/?q",
                scheme: "http",
                user: "u",
                host: "H",
                port: 80,
                path: "a/b/?q"
            ),
            URLParts(
                text: "https://u%40d:x@h:/%41",
                scheme: "https",
                user: "u@d",
                host: "h",
                path: "A"
            ),
            URLParts(
                text: "ftp://[fe80::1]:21//x//",
                scheme: "ftp",
                host: "fe80::1",
                port: 21,
                path: "x"
            ),
            URLParts(text: "cert:///etc/a.pem", scheme: "cert", host: "", path: "etc/a.pem"),
        ]
    )
    fileprivate func `is taken apart`(parts: URLParts) throws {
        let url = try #require(LocatorURL(parts.text))
        #expect(url.scheme == parts.scheme)
        #expect(url.user == parts.user)
        #expect(url.host == parts.host)
        #expect(url.port == parts.port)
        #expect(url.path == parts.path)
    }

    @Test(
        arguments: [
            "", "h", "//h", "://h", "ht tp://h", "https:/h", "https://h%", "https://h%0d",
            "https://[::1", "https://[::1]x", "https://h:1:2", "https://h:65536", "https://h:+1",
            "https://u%ff@h",
        ]
    )
    func `is refused when it is none`(text: String) {
        #expect(LocatorURL(text) == nil)
    }
}
