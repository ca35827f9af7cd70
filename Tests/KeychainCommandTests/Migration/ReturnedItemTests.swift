import Foundation
import TestSupport
import Testing

@Suite struct `Items whose secrets were written back` {
    private let home: MigrationHome
    private let text = "A_TOKEN=one\nB_TOKEN=two\n"
    private var path: String { home.path("shop/.env") }

    init() throws {
        home = try MigrationHome()
        try home.write(text, to: "shop/.env")
        #expect(home.migrate([home.path("shop/.env")]).status == 0)
        let undo = home.migrate(["--undo"])
        #expect(undo.diagnostics.contains("keychainctl migrate --undo --delete-items deletes them"))
    }

    @Test(.requirement("USE-07"), arguments: [true, false])
    func `are deleted by a later undo, if asked`(isNamed: Bool) throws {
        defer { home.scratch.remove() }
        let words = ["--undo", "--delete-items"] + (isNamed ? [path] : [])
        let plan = home.migrate(words + ["--dry-run"])
        #expect(plan.output.components(separatedBy: "item would be deleted").count == 3)
        #expect(home.secret("generic", "A_TOKEN") == "one")
        let undo = home.migrate(words)
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(undo.output.components(separatedBy: "item deleted").count == 3, "\(undo.output)")
        #expect(home.secret("generic", "A_TOKEN") == nil)
        #expect(home.secret("generic", "B_TOKEN") == nil)
        #expect(try home.text("shop/.env") == text)
        #expect(home.run(["find-generic-password", "-s", "keychain-migrate.undo"]).status == 44)
        #expect(home.migrate(["--undo", "--delete-items"]).output.hasPrefix("nothing to write"))
    }

    @Test(
        .requirement("USE-07"),
        arguments: [["--undo", "--delete-items"], ["--undo", "--delete-items", "--force"]]
    )
    func `stay where the file does not hold their value any more`(words: [String]) throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=one\nB_TOKEN=newer\n", to: "shop/.env")
        let undo = home.migrate(words)
        #expect(undo.status == 44, "\(undo.output)")
        #expect(undo.output.contains("so the item stays in the keychain"), "\(undo.output)")
        #expect(home.secret("generic", "A_TOKEN") == nil)
        #expect(home.secret("generic", "B_TOKEN") == "two")
        #expect(try home.text("shop/.env") == "A_TOKEN=one\nB_TOKEN=newer\n")
    }

    @Test func `are no matter for an undo that deletes nothing`() throws {
        defer { home.scratch.remove() }
        #expect(home.migrate(["--undo"]).output == "nothing to write back was found\n")
        #expect(home.migrate(["--undo", path]).status == 44)
        #expect(home.secret("generic", "A_TOKEN") == "one")
    }

    @Test(.requirement("USE-07"))
    func `are still those of the migration after a second one`() throws {
        defer { home.scratch.remove() }
        #expect(home.migrate([path]).status == 0)
        #expect(try home.text("shop/.env") == "")
        let plan = home.migrate(["--undo", "--delete-items", "--dry-run"])
        #expect(plan.output.components(separatedBy: "item would be deleted").count == 3)
        let undo = home.migrate(["--undo", "--delete-items"])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(try home.text("shop/.env") == text)
        #expect(home.secret("generic", "A_TOKEN") == nil)
        #expect(home.secret("generic", "B_TOKEN") == nil)
    }
}
