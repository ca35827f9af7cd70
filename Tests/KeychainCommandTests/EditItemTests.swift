import Foundation
import KeychainModel
import TestSupport
import Testing

@testable import KeychainCommand

extension Programs {
    @Suite struct `The command edit` {
        /// Runs a command with a program as editor.
        private func run(
            _ workshop: Workshop,
            _ editor: String,
            _ words: [String],
            input: String = ""
        ) throws -> (status: Int32, output: String) {
            let variables = ["KEYCHAIN_SOCKET=", "EDITOR=\(editor)", "keychainctl"]
            return try workshop.run(variables + words, input: input)
        }

        @Test(.requirement("PKG-08"))
        func `lends attributes and passwords to an editor`() throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            let name = ["-s", "mail", "-a", "ann"]
            _ = try run(workshop, "", ["add-generic-password", "-j", "a\nb"] + name, input: "one")
            let show = "sed -i -n -e 's/^comment: /comment: c\\\\n/' -e p"
            let edited = try run(workshop, show, ["edit", "--editor"] + name)
            #expect(edited.status == 0, "\(edited)")
            let item = try run(workshop, "", ["find-generic-password", "--json"] + name).output
            #expect(item.contains(#""comment": "c\na\nb""#), "\(item)")
            #expect(item.contains(#""label": "mail""#))
            let password = ["edit", "-w", "--editor"] + name
            #expect(try run(workshop, "sed -i s/one/two/", password).status == 0)
            let found = try run(workshop, "", ["find-generic-password", "-w"] + name).output
            #expect(found == "two\n")
        }

        @Test(.requirement("PKG-08"), arguments: [("false", 1), ("true", 0)])
        func `changes nothing if the editor fails or saves nothing`(
            editor: String,
            status: Int32
        ) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            _ = try run(workshop, "", ["add-generic-password", "-s", "x", "-a", "y"], input: "one")
            let show = ["find-generic-password", "-s", "x", "--json"]
            let before = try run(workshop, "", show).output
            let edited = try run(workshop, editor, ["edit", "--editor", "-s", "x"])
            #expect(edited.status == status)
            #expect(try run(workshop, "", show).output == before)
        }
    }
}

@Suite struct `Attributes as lines of text` {
    @Test(
        .requirement("PKG-08"),
        arguments: [
            ("label: b\n", "b"), ("# label: b\n", nil), ("", nil), ("label: a\n", nil),
            ("label: a\\nb\n", "a\nb"), ("label:b\n", "b"), ("label: \\\\n\n", "\\n"),
            ("# edit\r\nlabel: b\r\n", "b"), ("label: a\r\n", nil), ("label: b\\r\n", "b\r"),
            ("label: \u{301}\n", "\u{301}"),
        ] as [(String, String?)]
    )
    func `change what differs`(text: String, label: String?) throws {
        var item = AttributeValues()
        item[.label] = .string("a")
        let options = OptionTable.changes
        let changes = try AttributeText.changes(text, item, options)
        #expect(changes?[.label] == label.map(AttributeValue.string))
        #expect((changes == nil) == (label == nil))
    }

    @Test(
        .requirement("PKG-08"),
        arguments: ["a\r\nb", "a\r\naccessible: Always", "\\\u{301}", "\n\u{301}", "\u{301}", "\r"]
    )
    func `are what the item has, whatever that is`(label: String) throws {
        var item = AttributeValues()
        item[.label] = .string(label)
        let options = OptionTable.changes
        let text = AttributeText.text(item, options)
        #expect(text.unicodeScalars.filter { $0 == "\n" }.count == 2 + options.count)
        #expect(try AttributeText.changes(text, item, options) == nil)
        // An editor that ends lines as Windows does changes nothing either.
        let windows = text.replacing("\n", with: "\r\n")
        #expect(try AttributeText.changes(windows, item, options) == nil)
    }

    @Test(
        .requirement("PKG-08"),
        arguments: ["colour: red", "label", ": x", "accessible: WhenWanted"]
    )
    func `are refused where they make no sense`(text: String) {
        var item = AttributeValues()
        item[.accessible] = .string(ProtectionClass.whenUnlocked.code)
        #expect(throws: CommandFailure.self) {
            try AttributeText.changes(text, item, OptionTable.changes)
        }
    }
}

@Suite struct `The command search` {
    @Test(
        .requirement("PKG-08"),
        arguments: [
            (["ANN"], ["mail", "post"]), (["provider"], ["mail"]), (["ann", "provider"], ["mail"]),
            (["ann", "nobody"], []), (["hunter2"], []), (["example.org"], ["post"]),
        ]
    )
    func `finds items by words of attributes, and none by its secret`(
        words: [String],
        labels: [String]
    ) throws {
        let endpoint = try TestKeychain.endpoint()
        let lines = [
            ["add-generic-password", "-s", "mail", "-a", "ann", "-j", "the provider"],
            ["add-internet-password", "-s", "example.org", "-a", "ann", "-l", "post"],
        ]
        let added = lines.map { line in
            let terminal = TestTerminal(input: Array("hunter2".utf8))
            return TestKeychain.run(["keychainctl"] + line, on: endpoint, terminal)
        }
        #expect(added == [0, 0])
        let terminal = TestTerminal()
        let search = ["keychainctl", "search", "--json"] + words
        let status = TestKeychain.run(search, on: endpoint, terminal)
        #expect(status == (labels.isEmpty ? 44 : 0))
        let found = terminal.outputText.matches(of: /"label": "([a-z]+)"/).map { String($0.1) }
        #expect(found == labels)
    }
}
