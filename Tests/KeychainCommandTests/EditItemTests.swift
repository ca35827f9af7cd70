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

        @Test(
            .requirement("PKG-08"),
            arguments: [
                ("false #", "the editor failed, and nothing was changed", false),
                ("sed -i s/label/colour/", "has to begin with one of these", true),
                ("sed -i s/Unlocked/Wanted/", "invalid value for accessible", true),
                ("true", "", false),
            ]
        )
        func `changes nothing if the editor fails or what it saved is wrong`(
            editor: String,
            message: String,
            isKept: Bool
        ) throws {
            let workshop = try Workshop()
            defer { workshop.scratch.remove() }
            _ = try run(workshop, "", ["add-generic-password", "-s", "x", "-a", "y"], input: "one")
            let before = try run(workshop, "", ["find-generic-password", "-s", "x", "--json"])
                .output
            let edited = try run(workshop, editor, ["edit", "--editor", "-s", "x"])
            #expect(message.isEmpty ? edited.output == "" : edited.output.contains(message))
            let after = try run(workshop, "", ["find-generic-password", "-s", "x", "--json"]).output
            #expect(before == after)
            let mark = "the changes are not stored; they are in "
            let place = edited.output.components(separatedBy: mark).dropFirst().first?
                .split(separator: "\n").first
            #expect((place != nil) == isKept)
            guard let place else { return }
            let folder = URL(filePath: String(place)).deletingLastPathComponent()
            #expect(FileManager.default.fileExists(atPath: String(place)))
            try FileManager.default.removeItem(at: folder)
        }
    }
}

@Suite struct `Attributes as lines of text` {
    @Test(
        .requirement("PKG-08"),
        arguments: [
            ("label: b\n", "b"), ("# label: b\n", nil), ("", nil), ("label: a\n", nil),
            ("label: a\\nb\n", "a\nb"), ("label:b\n", "b"), ("label: \\\\n\n", "\\n"),
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
}

@Suite struct `The command search` {
    @Test(
        .requirement("PKG-08"),
        arguments: [
            (["ANN"], ["mail", "post"]), (["provider"], ["mail"]), (["ann", "mail"], ["mail"]),
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
