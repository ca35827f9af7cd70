import Foundation
import LintModel
import Testing

@Suite struct `A project for iOS` {
    private static let folder = Lint.root.appending(path: "Fixtures/Project")

    /// Returns the findings that comments in the files announce: `finds RULE`, as `file:line RULE`.
    private static func expectations() throws -> Set<String> {
        let walk = FileManager.default.enumerator(atPath: folder.path)
        let files = (walk?.compactMap { $0 as? String } ?? []).filter { $0.contains(".") }
        var expected: Set<String> = []
        for file in files {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (index, line) in lines.enumerated() {
                guard let mark = line.range(of: " finds ") else { continue }
                expected.insert("\(file):\(index + 1) \(line[mark.upperBound...].prefix(5))")
            }
        }
        return expected
    }

    private static func found() throws -> Set<String> {
        let findings = try Lint.findings(at: folder)
        let loud = findings.filter { $0.severity > .note }
        let prefix = folder.path + "/"
        return Set(
            loud.map {
                "\($0.place.file.replacingOccurrences(of: prefix, with: "")):\($0.place.line) "
                    + $0.rule
            }
        )
    }

    @Test(.requirement("LNT-04", "LNT-12"))
    func `is read here with its sources, property lists and entitlements`() throws {
        let expected = try Self.expectations()
        #expect(try Self.found() == expected)
        let kinds = Set(expected.map { $0.suffix(5) })
        #expect(kinds == ["KC203", "KC603", "KC703", "KC908"])
    }

    @Test(.requirement("LNT-12"), arguments: ["Push/Push.entitlements", "Shared/Names.swift"])
    func `has other findings if one of its files is missing`(file: String) throws {
        let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: Self.folder, to: copy)
        defer { try? FileManager.default.removeItem(at: copy) }
        let rule = file.hasSuffix("entitlements") ? "KC703" : "KC203"
        #expect(try Lint.findings(at: copy).contains { $0.rule == rule })
        try FileManager.default.removeItem(at: copy.appending(path: file))
        #expect(try !Lint.findings(at: copy).contains { $0.rule == rule })
    }
}

@Suite struct `A rule about macOS` {
    private static let read = """
        func read(service: String, account: String) -> OSStatus {
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: service,
                kSecAttrAccount as String: account,
            ]
            return SecItemCopyMatching(query as CFDictionary, nil)
        }

        """

    private func hasFinding(_ text: String, platform: String? = nil) -> Bool {
        var settings = Configuration()
        settings.platform = platform
        let findings = Lint.findings(text, configuration: settings)
        return findings.contains { $0.rule == "KC801" }
    }

    @Test(
        .requirement("LNT-11"),
        arguments: [
            "import AppKit\nimport Security\n\(read)",
            "import Security\n#if os(macOS)\n\(read)#endif\n",
            "import Security\n#if os(iOS)\n#else\n\(read)#endif\n",
        ]
    )
    func `applies where the file says macOS`(text: String) {
        #expect(hasFinding(text))
    }

    @Test(
        .requirement("LNT-11"),
        arguments: [
            "import Security\n\(read)",
            "import Security\nimport UIKit\n\(read)",
            "import Security\n#if os(iOS)\n\(read)#endif\n",
            "import Security\n#if !os(macOS)\n\(read)#endif\n",
        ]
    )
    func `does not apply where it does not`(text: String) {
        #expect(!hasFinding(text))
    }

    @Test(.requirement("LNT-11"))
    func `follows the settings`() {
        #expect(hasFinding("import Security\n\(Self.read)", platform: "macOS"))
        #expect(!hasFinding("import AppKit\nimport Security\n\(Self.read)", platform: "iOS"))
    }
}
