import TestSupport
import Testing

@testable import AutoFill

@Suite struct `Hostile text` {
    /// Whether an address is refused, or its origin reads as the same page again.
    private static func isStablePage(_ text: String) -> Bool {
        guard let page = try? PageAddress(text) else { return true }
        guard let again = try? PageAddress(page.origin) else { return false }
        return again.host == page.host && again.service == page.service
            && page.host.ascii.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    private static func isStableHost(_ text: String) -> Bool {
        guard let host = try? HostName(text) else { return true }
        let unicode = try? HostName(host.unicode)
        return (try? HostName(host.ascii)) == host && (unicode == host || unicode == nil)
    }

    private static func isStableEntry(_ text: String) -> Bool {
        guard let entry = try? AssociatedDomain(text) else { return true }
        return entry.host.kind == .domain && entry.covers(entry.host)
    }

    @Test func `is refused or has one meaning`() {
        #expect(HostileText.misread(Self.isStablePage) == [])
        #expect(HostileText.misread(Self.isStableHost) == [])
        #expect(HostileText.misread(Self.isStableEntry) == [])
        let hosts = HostileText.all.filter { (try? HostName($0)) != nil }
        #expect(!hosts.isEmpty)
    }

    @Test(.requirement("AFL-03"))
    func `in an association file lists no app that it did not list`() {
        let app = "TEAMID.com.example.app"
        let file = Array("{\"webcredentials\":{\"apps\":[\"\(app)\"]}}".utf8)
        let spoiled = SpoiledBytes.all(of: file) + SpoiledBytes.flipped(file, 0x01)
        let believed = spoiled.filter { (try? AssociationFile($0))?.lists(app: app) == true }
        #expect(believed.isEmpty)
    }

    @Test func `in an address of a page never matches another one's item`() throws {
        let url = Array("https://example.com:8443/".utf8)
        let item = AutoFillCandidate(server: "example.com", protocolName: "htps", account: "ada")
        let spoiled = SpoiledBytes.flipped(url, 0x01) + SpoiledBytes.flipped(url, 0x80)
        let pages = spoiled.compactMap { bytes in
            String(validating: bytes, as: UTF8.self).flatMap { try? PageAddress($0) }
        }
        #expect(!pages.isEmpty)
        let matched = pages.filter { AutoFillMatcher.answer(for: $0, among: [item]).reason == nil }
        #expect(matched.isEmpty)
    }
}
