import Foundation
import TestSupport
import Testing

private let docker = "{\"auths\":{\"h\":{\"auth\":\"YTpi\"}}}"
private let vault = """
    {"items": [
      {"type": 1, "name": "Mail", "login": {"username": "ann", "password": "pw", \
    "uris": [{"uri": "https://m.example/"}]}}
    ]}

    """

/// A file of JSON that somebody changed after its secrets were taken.
private struct ChangedFile: CustomTestStringConvertible, Sendable {
    let name: String
    let before: String
    let changed: String
    /// What is in the file in the end.
    let after: String

    var testDescription: String { changed }
}

private let mergeable = [
    ChangedFile(
        name: "config.json",
        before: docker,
        changed: "{\"auths\":{\"h\":{\"email\":\"e\"}}}",
        after: "{\"auths\":{\"h\":{\"email\":\"e\",\"auth\":\"YTpi\"}}}"
    ),
    ChangedFile(
        name: "config.json",
        before: docker,
        changed: "{\"auths\": {\"g\": {}, \"h\": {\n}}, \"x\": [1, 2]}",
        after: "{\"auths\": {\"g\": {}, \"h\": {\n\"auth\":\"YTpi\"}}, \"x\": [1, 2]}"
    ),
    ChangedFile(
        name: "vault.json",
        before: vault,
        changed: "{\"items\":[{\"type\":2,\"name\":\"note\"}]}",
        after: """
            {"items":[{"type": 1, "name": "Mail", "login": {"username": "ann", \
            "password": "pw", "uris": [{"uri": "https://m.example/"}]}},{"type":2,"name":"note"}]}
            """
    ),
]

private let placeless = [
    (name: "config.json", before: docker, changed: "{\"auths\":{}}", kept: "YTpi"),
    (name: "config.json", before: docker, changed: "{}", kept: "YTpi"),
    (name: "config.json", before: docker, changed: "// none\n{", kept: "YTpi"),
    (name: "vault.json", before: vault, changed: "{\"encrypted\": true}", kept: "\"pw\""),
    (name: ".aws/credentials", before: "[a]\naws_session_token = t\n", changed: "?", kept: "= t"),
]

@Suite struct `An undo that is forced` {
    private let home: MigrationHome

    init() throws { home = try MigrationHome() }

    @Test(.requirement("USE-07"), arguments: mergeable)
    fileprivate func `puts values back where the structure still has a place`(
        file: ChangedFile
    ) throws {
        defer { home.scratch.remove() }
        let path = home.path(file.name)
        try home.write(file.before, to: file.name)
        #expect(home.migrate([path]).status == 0)
        try home.write(file.changed, to: file.name)
        #expect(home.migrate(["--undo", path]).status == 45)
        #expect(try home.text(file.name) == file.changed)
        let undo = home.migrate(["--undo", "--force", path])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        let content = try JSONSerialization.jsonObject(with: Data(home.text(file.name).utf8))
        let expected = try JSONSerialization.jsonObject(with: Data(file.after.utf8))
        #expect(content as? NSDictionary == expected as? NSDictionary)
    }

    @Test(.requirement("USE-07"), arguments: placeless)
    func `writes what has no place to a file beside it, and says so`(
        name: String,
        before: String,
        changed: String,
        kept: String
    ) throws {
        defer { home.scratch.remove() }
        let path = home.path(name)
        try home.write(before, to: name)
        #expect(home.migrate([path]).status == 0)
        try home.write(changed, to: name)
        let refused = home.migrate(["--undo", path])
        #expect(refused.status == 45, "\(refused.output)")
        #expect(refused.output.contains("--force writes it back anyway"))
        try home.write("mine\n", to: name + ".undone")
        let plan = home.migrate(["--undo", "--force", "--dry-run", path])
        #expect(plan.output.contains("would be written back"), "\(plan.output)")
        let undo = home.migrate(["--undo", "--force", "--delete-items", path])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(undo.output.contains("written to "), "\(undo.output)")
        let place = ".undone-2: the file no longer has a place for it"
        #expect(undo.output.contains(place), "\(undo.output)")
        #expect(!undo.output.contains("item deleted"), "\(undo.output)")
        #expect(try home.text(name) == changed)
        #expect(try home.text(name + ".undone") == "mine\n")
        #expect(try home.text(name + ".undone-2").contains(kept))
        #expect(ScratchFolder.permissions(of: path + ".undone-2") == "600")
        let accounts = ["a", "ann", "AWS_SESSION_TOKEN"]
        let kinds = ["internet", "generic"]
        #expect(accounts.contains { user in kinds.contains { home.secret($0, user) != nil } })
    }

    @Test func `keeps what somebody else wrote where there is no place for the old value`() throws {
        defer { home.scratch.remove() }
        try home.write("[a]\naws_session_token = old\naws_access_key_id = K\n", to: "credentials")
        let path = home.path("credentials")
        #expect(home.migrate([path]).status == 0)
        let changed = "[b]\naws_session_token = new\n"
        try home.write(changed, to: "credentials")
        #expect(home.migrate(["--undo", "--force", path]).status == 0)
        #expect(try home.text("credentials").contains("aws_session_token = new"))
        #expect(try home.text("credentials.undone").contains("aws_session_token = old"))
    }

    @Test(.requirement("USE-07"))
    func `puts into a property list what still fits, and the rest beside it`() throws {
        defer { home.scratch.remove() }
        func write(_ list: [String: Any]) throws {
            let bytes = try PropertyListSerialization.data(
                fromPropertyList: list,
                format: .xml,
                options: 0
            )
            try home.scratch.write(bytes, to: home.path("a.plist"))
        }
        func read(_ name: String) throws -> NSDictionary? {
            let bytes = try Data(contentsOf: URL(filePath: home.path(name)))
            return try PropertyListSerialization.propertyList(from: bytes, format: nil)
                as? NSDictionary
        }
        try write(["authToken": "one", "user": ["password": "two"], "volume": 3])
        #expect(home.migrate([home.path("a.plist")]).status == 0)
        try write(["authToken": "newer", "volume": 3])
        #expect(home.migrate(["--undo"]).status != 0)
        #expect(try read("a.plist") == ["authToken": "newer", "volume": 3])
        let undo = home.migrate(["--undo", "--force"])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(try read("a.plist") == ["authToken": "one", "volume": 3])
        #expect(try read("a.plist.undone") == ["user.password": "two"])
    }
}
