import Foundation
import TestSupport
import Testing

@testable import keychain_migrate

@Suite struct `A file behind a symbolic link` {
    private let home: MigrationHome

    init() throws {
        home = try MigrationHome()
        try FileManager.default.createDirectory(
            atPath: home.path("dotfiles"),
            withIntermediateDirectories: true
        )
    }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: home.path(name),
            withDestinationPath: target
        )
    }

    @Test(.requirement("USE-07"))
    func `is emptied and written back through the link, whatever its own name is`() throws {
        defer { home.scratch.remove() }
        let text = "machine a login b password c\n# mine\n"
        try home.write(text, to: "dotfiles/net")
        try link("dotfiles/between", to: "net")
        try link(".netrc", to: "dotfiles/between")
        #expect(home.migrate().status == 0)
        #expect(try home.text("dotfiles/net") == "# mine\n")
        #expect(home.secret("internet", "b") == "c")
        let type = try FileManager.default.attributesOfItem(atPath: home.path(".netrc"))[.type]
        #expect(type as? FileAttributeType == .typeSymbolicLink)
        let undo = home.migrate(["--undo", home.path(".netrc")])
        #expect(undo.status == 0, "\(undo.diagnostics)")
        #expect(try home.text(".netrc") == text)
    }

    @Test func `is one file, also if it is named twice`() throws {
        defer { home.scratch.remove() }
        try home.write("machine a login b password c\n", to: "dotfiles/.netrc")
        let name = home.path("dotfiles/.netrc")
        let run = home.migrate([name, home.path("dotfiles/../dotfiles/.netrc"), name])
        #expect(run.status == 0)
        #expect(run.output.split(separator: "\n").count == 2)
    }

    @Test func `belongs to the project of the link`() throws {
        defer { home.scratch.remove() }
        try home.write("A_TOKEN=x\n", to: "dotfiles/shop-settings")
        try home.write("", to: "shop/README")
        try link("shop/.env", to: "../dotfiles/shop-settings")
        #expect(home.migrate([home.path("shop/.env")]).status == 0)
        let find = ["find-generic-password", "-s", home.path("shop"), "-a", "A_TOKEN", "-w"]
        #expect(home.run(find).output == "x\n")
    }

    @Test(
        arguments: [
            ("nowhere", "missing: nowhere, to which a symbolic link leads"),
            (".netrc", "symbolicLink: .netrc, in a circle"), ("dotfiles", "notAFile: dotfiles"),
        ]
    )
    func `is explained where the link leads to no file`(target: String, words: String) throws {
        defer { home.scratch.remove() }
        try link(".netrc", to: target)
        let run = home.migrate()
        #expect(run.status != 0)
        #expect(run.output.contains(words), "\(run.output)")
        #expect(!run.diagnostics.contains("errSecIO"))
    }

    @Test func `is left alone if somebody else made the link`() throws {
        defer { home.scratch.remove() }
        let text = "machine a login b password c\n"
        try home.write(text, to: "dotfiles/net")
        try link(".netrc", to: "dotfiles/net")
        try #require(
            lchown(home.path(".netrc"), 12345, 12345) == 0,
            "this takes the rights of root"
        )
        let run = home.migrate()
        #expect(run.output.contains("foreignOwner: .netrc, a symbolic link of another user"))
        #expect(try home.text("dotfiles/net") == text)
    }

    @Test func `may be a property list, too`() throws {
        defer { home.scratch.remove() }
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["apiToken": "x", "volume": 1],
            format: .xml,
            options: 0
        )
        try home.scratch.write(list, to: home.path("dotfiles/list"))
        try link("a.plist", to: "dotfiles/list")
        #expect(home.migrate([home.path("a.plist")]).status == 0)
        #expect(try !home.text("dotfiles/list").contains("apiToken"))
        #expect(home.migrate(["--undo"]).status == 0)
        #expect(try home.text("dotfiles/list").contains("apiToken"))
    }
}

/// What people make of docker's file when they follow the advice.
private let dockerFiles: [String] = [
    "{\"credsStore\": \"keychain\", \"auths\":{\"h\":{},\"r\":{}}}",
    "{\"auths\":{\"h\":{},\"r\":{}},\"credsStore\":\"keychain\"}",
    "{\n\t\"auths\": {\n\t\t\"h\": {},\n\t\t\"r\": {}\n\t},\n\t\"credsStore\": \"keychain\"\n}\n",
    "{\"credHelpers\":{\"h\":\"keychain\"},\"auths\":{\"r\":{},\"h\":{}}}",
]

@Suite struct `Docker's file after the advised line` {
    @Test(.requirement("USE-07"), arguments: dockerFiles)
    func `gets its credentials back without force`(text: String) throws {
        let home = try MigrationHome()
        defer { home.scratch.remove() }
        let members =
            "{\"auths\":{\"h\":{\"auth\":\"YTpi\"},\"r\":{\"username\":\"u\",\"password\":\"p\"}}}"
        try home.write(members, to: ".docker/config.json")
        #expect(home.migrate().status == 0)
        let rest = try home.text(".docker/config.json")
        let isWhole = text.replacing("{\"username\":\"u\"}", with: "{}")
        let advised = isWhole.replacing("\"r\": {}", with: "\"r\": {\"username\":\"u\"}")
            .replacing("\"r\":{}", with: "\"r\":{\"username\":\"u\"}")
        #expect(rest == "{\"auths\":{\"h\":{},\"r\":{\"username\":\"u\"}}}")
        try home.write(advised, to: ".docker/config.json")
        let undo = home.migrate(["--undo"])
        #expect(undo.status == 0, "\(undo.output)\(undo.diagnostics)")
        #expect(undo.diagnostics.contains("docker asks the keychain as long as \"credsStore\""))
        let whole = try home.text(".docker/config.json")
        let object = try JSONSerialization.jsonObject(with: Data(whole.utf8)) as? NSDictionary
        let logins = object?["auths"] as? NSDictionary
        let expected: NSDictionary = [
            "h": ["auth": "YTpi"], "r": ["username": "u", "password": "p"],
        ]
        #expect(logins == expected, "\(whole)")
    }

    @Test func `is left alone if a registry was taken out of it`() throws {
        let home = try MigrationHome()
        defer { home.scratch.remove() }
        try home.write("{\"auths\":{\"h\":{\"auth\":\"YTpi\"}}}", to: ".docker/config.json")
        #expect(home.migrate().status == 0)
        try home.write("{\"auths\":{},\"credsStore\":\"keychain\"}", to: ".docker/config.json")
        #expect(home.migrate(["--undo"]).status == 45)
    }
}
