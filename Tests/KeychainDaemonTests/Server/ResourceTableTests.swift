import Foundation
import KeychainDaemon
import TestSupport
import Testing

@Suite(.requirement("HRD-07")) struct `The table of resources on the page about security` {
    @Test(arguments: Resource.all.map(\.name))
    func `says what the daemon allows`(name: String) throws {
        let resource = try #require(Resource.all.first { $0.name == name })
        let page = try Self.page()
        let row = "| \(resource.name) | \(resource.perPerson) | \(resource.inAll) |"
            .replacing("|  |", with: "| |")
        #expect(page.contains("\n" + row), "\(row)")
    }

    private static func page() throws -> String {
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        return try String(contentsOf: root.appending(path: "SECURITY.md"), encoding: .utf8)
    }

    @Test func `has no other row`() throws {
        let page = try Self.page()
        let table = page.split(separator: "| Resource of the system daemon |", maxSplits: 1)
        let rows = try #require(table.last).split(separator: "\n\n")[0].split(separator: "\n")
        #expect(rows.count - 2 == Resource.all.count)
    }
}
