import TestSupport
import Testing

@testable import AutoFill

@Suite struct `Hosts` {
    @Test(arguments: [
        (text: "Example.COM", ascii: "example.com"),
        (text: "bücher.example", ascii: "xn--bcher-kva.example"),
        (text: "BÜCHER.example", ascii: "xn--bcher-kva.example"),
        (text: "xn--BCHER-kva.example", ascii: "xn--bcher-kva.example"),
        (text: "faß.de", ascii: "xn--fa-hia.de"),
        (text: "例え。テスト", ascii: "xn--r8jz45g.xn--zckzah"),
        (text: "ｅｘａｍｐｌｅ.com", ascii: "example.com"),
        (text: "r3---sn-abc.example.com", ascii: "r3---sn-abc.example.com"),
        (text: "some_host.example.com", ascii: "some_host.example.com"),
        (text: "127.0.0.1", ascii: "127.0.0.1"),
        (text: "[2001:DB8:0:0::1]", ascii: "2001:db8::1"),
        (text: "::1", ascii: "::1"),
        (text: "localhost", ascii: "localhost"),
    ])
    func `are compared in lower-case ASCII`(text: String, ascii: String) throws {
        #expect(try HostName(text).ascii == ascii)
    }

    @Test(arguments: [
        "exa mple.com", "example..com", ".example.com", "-\u{0}", "example.com/", "a@b", "a%62c",
        "example.com\n", "xn--\u{FFFD}", "xn--zzzzzzzz99999999", "xn--a", "[::1", "::1]",
        "[fe80::1%25eth0]", "1:2", "1.2.3", "256.1.1.1", "0x7f.0.0.1", "2130706433", "0177.0.0.1",
        "1.2.3.4.5", "0x7f",
        "\u{202E}moc.example", "a\u{200B}.com\u{2028}", "ex\u{2044}ample.com", "℀.com",
        String(repeating: "a", count: 64) + ".com",
        Array(repeating: "abcdefgh", count: 29).joined(separator: "."),
    ])
    func `that are not valid are refused`(text: String) {
        #expect(throws: AutoFillRefusal.hostNotValid) { try HostName(text) }
    }

    @Test(arguments: ["example.com.", "xn--bcher-kva.example.", "bücher.example。"])
    func `with a dot at the end are other hosts`(text: String) {
        #expect(throws: AutoFillRefusal.trailingDot) { try HostName(text) }
    }

    @Test(arguments: [
        (host: "example.com", domain: "example.com"),
        (host: "a.b.example.com", domain: "example.com"),
        (host: "www.example.co.uk", domain: "example.co.uk"),
        (host: "alice.github.io", domain: "alice.github.io"),
        (host: "shop.食狮.公司.cn", domain: "xn--85x722f.xn--55qx5d.cn"),
        (host: "www.ck", domain: "www.ck"), (host: "city.kawasaki.jp", domain: "city.kawasaki.jp"),
        (host: "a.b.kawasaki.jp", domain: "a.b.kawasaki.jp"),
    ])
    func `belong to the domain that one owner registered`(host: String, domain: String) throws {
        #expect(try HostName(host).registrableDomain == domain)
    }

    @Test(arguments: [
        "com", "co.uk", "github.io", "foo.ck", "localhost", "app.localhost", "intranet",
        "nas.internal", "127.0.0.1", "::1",
    ])
    func `of nobody in particular have no domain`(host: String) throws {
        #expect(try HostName(host).registrableDomain == nil)
    }
}

@Suite struct `Look-alikes` {
    @Test(arguments: [
        (page: "exаmple.com", host: "example.com"), (page: "examp1e.com", host: "example.com"),
        (page: "exarnple.com", host: "example.com"), (page: "éxample.com", host: "example.com"),
        (page: "example.com.evil.org", host: "example.com"),
        (page: "login.example.com.evil.org", host: "example.com"),
        (page: "example.com-login.org", host: "example.com"),
        (page: "example-com.org", host: "example.com"),
        (page: "xn--80ak6aa92e.com", host: "apple.com"),
        (page: "bücher.de", host: "bucher.de"),
    ])
    func `are known by what they resemble`(page: String, host: String) throws {
        #expect(LookAlike.resembles(try HostName(page), try HostName(host)))
    }

    @Test(arguments: [
        (page: "example.com", host: "example.com"), (page: "example.org", host: "example.com"),
        (page: "myexample.com", host: "example.com"), (page: "10.0.0.1", host: "10.0.0.1"),
    ])
    func `are no other hosts`(page: String, host: String) throws {
        #expect(!LookAlike.resembles(try HostName(page), try HostName(host)))
    }

    @Test(arguments: [
        (host: "exаmple.com", isMixed: true), (host: "ехаmple.рф", isMixed: true),
        (host: "пример.рф", isMixed: false), (host: "example.com", isMixed: false),
        (host: "bücher.example", isMixed: false), (host: "пример.com", isMixed: false),
        (host: "αbc.gr", isMixed: true), (host: "例えabc.jp", isMixed: false),
    ])
    func `may mix scripts in a label`(host: String, isMixed: Bool) throws {
        #expect(LookAlike.mixesScripts(try HostName(host)) == isMixed)
    }
}
