import TestSupport
import Testing

@testable import AutoFill

@Suite struct `Associated domains` {
    @Test(arguments: [
        (entry: "webcredentials:example.com", host: "example.com", below: false, mode: nil),
        (entry: "webcredentials:*.Example.com", host: "example.com", below: true, mode: nil),
        (entry: "applinks:a.example.com", host: "a.example.com", below: false, mode: nil),
        (
            entry: "webcredentials:example.com?mode=developer", host: "example.com", below: false,
            mode: AssociatedDomain.Mode.developer
        ),
        (
            entry: "webcredentials:*.example.com?mode=developer+managed", host: "example.com",
            below: true, mode: .developerAndManaged
        ),
        (
            entry: "webcredentials:bücher.example?mode=managed", host: "xn--bcher-kva.example",
            below: false, mode: .managed
        ),
    ])
    func `name a service and a host`(
        entry: String,
        host: String,
        below: Bool,
        mode: AssociatedDomain.Mode?
    ) throws {
        let domain = try AssociatedDomain(entry)
        #expect(domain.host.ascii == host)
        #expect(domain.includesSubdomains == below)
        #expect(domain.mode == mode)
    }

    @Test(arguments: [
        "", "example.com", ":example.com", "webcredentials:", "webcredentials:*.",
        "webcredentials:*", "webcredentials:*.com", "webcredentials:*.github.io",
        "webcredentials:https://example.com", "webcredentials:example.com/",
        "webcredentials:example.com:8443", "webcredentials:a.*.example.com",
        "webcredentials:*example.com", "webcredentials:**.example.com",
        "webcredentials:example.com?", "webcredentials:example.com?mode=", "webcredentials: a.com",
        "webcredentials:example.com?mode=Developer", "webcredentials:example.com?debug=1",
        "webcredentials:example.com?mode=developer?mode=managed", "webcredentials:example.com.",
        "webcredentials:127.0.0.1", "webcredentials:localhost", "web credentials:example.com",
        "WebCredentials:example.com", "webcredentials:user@example.com",
    ])
    func `of another form are refused`(entry: String) {
        #expect(throws: AutoFillRefusal.entryNotValid(entry)) { try AssociatedDomain(entry) }
    }

    @Test(arguments: [
        (entry: "webcredentials:example.com", host: "example.com", isCovered: true),
        (entry: "webcredentials:example.com", host: "www.example.com", isCovered: false),
        (entry: "webcredentials:*.example.com", host: "a.b.example.com", isCovered: true),
        (entry: "webcredentials:*.example.com", host: "example.com", isCovered: true),
        (entry: "webcredentials:*.example.com", host: "badexample.com", isCovered: false),
    ])
    func `cover hosts`(entry: String, host: String, isCovered: Bool) throws {
        #expect(try AssociatedDomain(entry).covers(HostName(host)) == isCovered)
    }
}

@Suite struct `Association files` {
    @Test(.requirement("AFL-03"))
    func `list the apps of a site`() throws {
        let text = """
            {"applinks": {"details": [{"appIDs": ["X.y"]}]}, "appclips": 3,
             "webcredentials": {"apps": ["TEAMID.com.example.app", "T2.\\u0061"], "more": null}}
            """
        let file = try AssociationFile(Array(text.utf8))
        #expect(file.webCredentialApps == ["TEAMID.com.example.app", "T2.a"])
        #expect(file.lists(app: "TEAMID.com.example.app"))
        #expect(!file.lists(app: "TEAMID.com.example"))
        #expect(!file.lists(app: "X.y"))
    }

    private static let wrong: [(String, AssociationFileError)] = [
        ("", .notJSON(line: 1, reason: "")), ("{", .notJSON(line: 1, reason: "")),
        ("<!DOCTYPE html>", .notJSON(line: 1, reason: "")),
        ("\u{FEFF}{}", .noWebCredentials), ("{}}", .notJSON(line: 1, reason: "")),
        ("{\"webcredentials\": {\"apps\": [\"a\",]}}", .notJSON(line: 1, reason: "")),
        ("0\u{82}", .signed),
        ("[]", .wrongType("the file")), ("3", .wrongType("the file")),
        ("{}", .noWebCredentials), ("{\"applinks\": {}}", .noWebCredentials),
        ("{\"webcredentials\": []}", .wrongType("webcredentials")),
        ("{\"webcredentials\": null}", .wrongType("webcredentials")),
        ("{\"webcredentials\": {}}", .wrongType("webcredentials.apps")),
        ("{\"webcredentials\": {\"apps\": \"A.b\"}}", .wrongType("webcredentials.apps")),
        ("{\"webcredentials\": {\"apps\": [\"A.b\", 1]}}", .wrongType("webcredentials.apps")),
        ("{\"webcredentials\": {\"apps\": [\"\\ud800\"]}}", .wrongType("webcredentials.apps")),
        ("{\"webcredentials\": {}, \"webcredentials\": {}}", .repeatedKey("webcredentials")),
        ("{\"webcredentials\": {\"apps\": [], \"apps\": []}}", .repeatedKey("apps")),
    ]

    @Test(.requirement("AFL-03"), arguments: wrong)
    func `that are malformed are refused with a reason`(
        text: String,
        reason: AssociationFileError
    ) {
        let error = #expect(throws: AssociationFileError.self) {
            try AssociationFile(Array(text.utf8))
        }
        guard case .notJSON? = error, case .notJSON = reason else {
            #expect(error == reason)
            return
        }
        #expect(error?.reason.hasPrefix("line 1: ") == true)
    }
}

@Suite struct `Text of an association that is too long` {
    @Test(.requirement("AFL-03"))
    func `is refused`() {
        let spaces = String(repeating: " ", count: AssociationFile.byteLimit)
        #expect(throws: AssociationFileError.tooLarge) {
            try AssociationFile(Array((spaces + "{}").utf8))
        }
        let deep = Array(String(repeating: "[", count: 1000).utf8)
        #expect(throws: AssociationFileError.self) { try AssociationFile(deep) }
        let entry = "webcredentials:" + String(repeating: "a.", count: 600) + "com"
        #expect(throws: AutoFillRefusal.entryNotValid(entry)) { try AssociatedDomain(entry) }
        #expect(throws: AutoFillRefusal.pageNotURL) {
            try PageAddress("https://" + String(repeating: "a", count: 70_000))
        }
        #expect(throws: AutoFillRefusal.hostNotValid) {
            try HostName(String(repeating: "ü", count: 2000))
        }
    }
}

@Suite struct `Matching an app` {
    private static let app = "TEAMID.com.example.app"
    private static let file = Array("{\"webcredentials\": {\"apps\": [\"\(app)\"]}}".utf8)

    private func answer(
        entries: [String] = ["applinks:other.example", "webcredentials:example.com"],
        sites: [String: [UInt8]] = ["example.com": file],
        modes: Set<AssociatedDomain.Mode> = [],
        servers: [String] = ["example.com"],
        for domain: String? = nil,
        _ change: (inout AutoFillCandidate) -> Void = { _ in }
    ) -> AutoFillAnswer {
        let association = AppAssociation(
            appIdentifier: Self.app,
            entries: entries,
            modes: modes,
            file: { sites[$0.ascii] }
        )
        let items = servers.map { server in
            var item = AutoFillCandidate(server: server, protocolName: "htps", account: server)
            change(&item)
            return item
        }
        return association.answer(for: domain, among: items)
    }

    @Test func `offers the item if all three parts are there`() {
        #expect(answer().matches.count == 1)
        #expect(answer().reason == nil)
    }

    @Test func `offers nothing if one part is missing, and names it`() {
        #expect(answer(servers: []).reason == .noItem)
        #expect(answer { $0.isInternetPassword = false }.reason == .notInternetPassword)
        #expect(answer(entries: []).reason == .noAssociatedDomains)
        #expect(answer(entries: ["applinks:example.com"]).reason == .noAssociatedDomains)
        #expect(answer(entries: ["webcredentials:/"]).reason == .entryNotValid("webcredentials:/"))
        #expect(answer(sites: [:]).reason == .associationFileMissing("example.com"))
        let other = Array("{\"webcredentials\": {\"apps\": [\"TEAM2.com.example.app\"]}}".utf8)
        #expect(
            answer(sites: ["example.com": other]).reason
                == .appNotListed(Self.app, domain: "example.com")
        )
        #expect(
            answer(sites: ["example.com": Array("{}".utf8)]).reason
                == .associationFileNotValid("example.com", .noWebCredentials)
        )
    }

    @Test(.requirement("AFL-01"))
    func `compares the server with the domain`() {
        let servers = [
            "example.com", "www.example.com", "example.org", "myexample.com", "com",
            "example.com.evil.org",
        ]
        let found = answer(servers: servers, for: "example.com")
        #expect(found.matches.map(\.candidate.server) == ["example.com"])
        #expect(found.denials.count == servers.count - 1)
        #expect(answer(for: "example.org").reason == .domainNotAssociated("example.org"))
        #expect(answer(for: "exa mple").reason == .hostNotValid)
    }

    @Test func `includes the hosts below a wildcard`() {
        let found = answer(
            entries: ["webcredentials:*.example.com"],
            servers: ["a.example.com", "example.com", "example.org"]
        )
        #expect(Set(found.matches.map(\.candidate.server)) == ["a.example.com", "example.com"])
    }

    @Test func `needs the mode that an entry names`() {
        let entries = ["webcredentials:example.com?mode=developer+managed"]
        #expect(
            answer(entries: entries).reason
                == .modeIsOff("developer+managed", domain: "example.com")
        )
        #expect(answer(entries: entries, modes: [.managed]).matches.count == 1)
    }

    @Test func `offers what one site allows even if another site fails`() {
        let entries = ["webcredentials:broken.example", "webcredentials:example.com", "no entry"]
        #expect(answer(entries: entries).matches.count == 1)
    }

    @Test func `offers no item of a plain connection or another port`() {
        #expect(
            answer { $0.protocolName = "http" }.reason == .otherScheme(item: "http", page: "https")
        )
        #expect(answer { $0.port = 8443 }.reason == .otherPort(item: 8443, page: 443))
    }
}
