import Foundation
import TestSupport
import Testing

@Suite struct `A file with two names` {
    private let home: MigrationHome

    init() throws {
        home = try MigrationHome()
        try home.write("# c\nA_TOKEN=one\n", to: "real/shop/.env")
        try FileManager.default.createSymbolicLink(
            atPath: home.path("link"),
            withDestinationPath: home.path("real")
        )
    }

    @Test(
        .requirement("USE-07"),
        arguments: ["link/shop/.env", "real/shop/.env"],
        ["link/shop/.env", "real/shop/.env", "link", "real", "link/shop", "real/../link/shop/"]
    )
    func `gets its secrets back by either`(migrated: String, undone: String) throws {
        defer { home.scratch.remove() }
        #expect(home.migrate([home.path(migrated)]).status == 0)
        #expect(try home.text("real/shop/.env") == "# c\n")
        let undo = home.migrate(["--undo", home.path(undone)])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(try home.text("real/shop/.env") == "# c\nA_TOKEN=one\n")
    }

    @Test(.requirement("USE-07"))
    func `has one record, so that its runs are undone in order`() throws {
        defer { home.scratch.remove() }
        #expect(home.migrate([home.path("link/shop/.env")]).status == 0)
        try home.write("# c\nB_TOKEN=two\n", to: "real/shop/.env")
        #expect(home.migrate([home.path("real/shop/.env")]).status == 0)
        let undo = home.migrate(["--undo"])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(try home.text("real/shop/.env") == "# c\nA_TOKEN=one\nB_TOKEN=two\n")
    }

    @Test func `is called by the home directory, whichever name that has`() throws {
        defer { home.scratch.remove() }
        let run = home.migrate(
            [home.path("real/shop/.env")],
            .inMemory(home: home.path("link"))
        )
        #expect(run.output.contains("~/shop/.env:2"), "\(run.output)")
        let undo = home.migrate(["--undo"], .inMemory(home: home.path("real")))
        #expect(undo.output.contains("~/shop/.env"), "\(undo.output)")
        #expect(try home.text("real/shop/.env") == "# c\nA_TOKEN=one\n")
    }
}
