import TestSupport
import Testing

@testable import WebCredentials

@Suite struct `A request for a credential` {
    private static let matching: [(WebRequest, SamplePassword)] = [
        (.sample(), SamplePassword()),
        (.sample(), SamplePassword(port: 443)),
        (.sample(port: 443), SamplePassword()),
        (.sample(port: 8443), SamplePassword(port: 8443)),
        (.sample(), SamplePassword(protocolName: nil)),
        (.sample(), SamplePassword(path: "/team/tool.git")),
        (.sample(path: "team/tool.git"), SamplePassword(path: "/team/tool.git/")),
        (.sample(username: "alice"), SamplePassword()),
        (.sample(protocolName: "http"), SamplePassword(protocolName: "http")),
    ]

    @Test(.requirement("AFL-07"), arguments: matching)
    func `matches`(request: WebRequest, password: SamplePassword) throws {
        #expect(request.matches(try #require(WebCredential(password.item))))
    }

    private static let others: [(WebRequest, SamplePassword)] = [
        (.sample(protocolName: "http"), SamplePassword()),
        (.sample(protocolName: "http"), SamplePassword(protocolName: nil)),
        (.sample(), SamplePassword(port: 8443)),
        (.sample(port: 8443), SamplePassword()),
        (.sample(path: "team/tool.git"), SamplePassword()),
        (.sample(path: "team"), SamplePassword(path: "/team/tool.git")),
        (.sample(path: ""), SamplePassword(path: "/team")),
        (.sample(username: "bob"), SamplePassword()),
    ]

    @Test(.requirement("AFL-07"), arguments: others)
    func `does not match`(request: WebRequest, password: SamplePassword) throws {
        #expect(!request.matches(try #require(WebCredential(password.item))))
    }

    @Test func `looks under the host as it is written, and in lower case`() {
        let request = WebRequest(
            protocolName: "htps",
            host: "Example.ORG",
            port: nil,
            path: nil,
            username: nil
        )
        #expect(request.servers == ["Example.ORG", "example.org"])
        #expect(WebRequest.sample().servers == ["example.org"])
    }
}
