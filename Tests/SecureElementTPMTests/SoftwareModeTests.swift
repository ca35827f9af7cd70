import Foundation
import TestSupport
import Testing

@Suite(.requirement("DOC-12")) struct `A keychain in software mode` {
    @Test func `says so once, when it begins, and names the page`() throws {
        let directory = try TestDirectory()
        let first = directory.run(["status"], element: nil)
        #expect(first.diagnostics.contains("anyone who copies that directory can read it"))
        #expect(first.diagnostics.contains("SECURITY.md"))
        #expect(first.output.contains("software (a file on this disk; see SECURITY.md)"))
        #expect(directory.run(["status"], element: nil).diagnostics.isEmpty)
    }

    @Test(arguments: [
        "**Root.**", "**`ptrace`.**", "**No secure element.**", "**Memory forensics.**",
    ])
    func `has a section that states what it cannot guarantee`(point: String) throws {
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "SECURITY.md")
        let sections = try String(contentsOf: page, encoding: .utf8).components(
            separatedBy: "\n## "
        )
        let section = try #require(sections.first { $0.hasPrefix("Software mode\n") })
        #expect(section.contains("cannot guarantee") && section.contains("\n- " + point))
    }
}
