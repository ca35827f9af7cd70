import TestSupport
import Testing

/// A program that assigns each of the four functions to a variable of Apple's type.
private func program(_ types: [String: String] = [:]) -> String {
    let pointer = "UnsafeMutablePointer<CFTypeRef?>?"
    let shapes = [
        "SecItemAdd": "(CFDictionary, \(pointer)) -> OSStatus",
        "SecItemCopyMatching": "(CFDictionary, \(pointer)) -> OSStatus",
        "SecItemUpdate": "(CFDictionary, CFDictionary) -> OSStatus",
        "SecItemDelete": "(CFDictionary) -> OSStatus",
    ].merging(types) { $1 }
    let variables = shapes.sorted { $0.key < $1.key }
        .map { "    let its\($0.key): \($0.value) = \($0.key)\n    _ = its\($0.key)\n" }
    return "import Security\n\nfunc assign() {\n\(variables.joined())}\n"
}

@Suite struct `The four functions in a program` {
    @Test(.requirement("API-01"), arguments: ["5", "6"])
    func `have Apple's types in the language mode`(version: String) throws {
        let report = try Compiler.check([("Shapes.swift", program())], version: version)
        #expect(report.errors == [])
        #expect(report.warnings == [])
    }

    @Test(
        .requirement("API-01"),
        arguments: ["5", "6"],
        [
            ("SecItemAdd", "(CFDictionary, UnsafeMutablePointer<CFTypeRef>?) -> OSStatus"),
            ("SecItemCopyMatching", "(CFDictionary) -> OSStatus"),
            ("SecItemUpdate", "(CFDictionary, CFDictionary) -> Bool"),
            ("SecItemDelete", "(CFDictionary) async throws -> Int"),
        ]
    )
    func `have no other type`(version: String, wrong: (name: String, type: String)) throws {
        let text = program([wrong.name: wrong.type])
        let report = try Compiler.check([("Shapes.swift", text)], version: version)
        #expect(report.errors.count == 1, "\(report.errors)")
        #expect(report.errors.first?.contains("cannot convert") == true)
    }
}
