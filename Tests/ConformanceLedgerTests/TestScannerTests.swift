import Testing

@testable import conformance_ledger

@Suite struct `Scanning tests for claims` {
    private func scan(_ source: String) -> (claims: [TestClaim], problems: [LedgerProblem]) {
        TestScanner.scan(source, file: "SomeTests/Adding.swift")
    }

    @Test func `a claim has the suites around it and the name of its test`() {
        let source = """
            @Suite struct `Adding an item` {
                enum Row { case a }
                struct Nested {
                    @Test(.requirement("QRY-03", "QRY-04"), arguments: [Row.a])
                    @MainActor static func `is refused { so }`(row: Row) throws {}
                }
            }
            """
        let found = scan(source)
        #expect(
            found.claims == [
                TestClaim(
                    file: "SomeTests/Adding.swift",
                    line: 5,
                    suites: ["Adding an item", "Nested"],
                    test: "is refused { so }",
                    ids: ["QRY-03", "QRY-04"]
                )
            ]
        )
        #expect(found.problems.isEmpty)
        #expect(found.claims.first?.className == "SomeTests.Adding an item.Nested")
    }

    @Test func `a suite's ids are the whole suite's`() {
        let found = scan(
            "@Suite(.requirement(\"ACC-01\"), .serialized) struct Locked { func f() {} }"
        )
        #expect(found.claims.map(\.suites) == [["Locked"]])
        #expect(found.claims.map(\.test) == [nil])
        #expect(found.claims.map(\.sentence) == ["Locked › every test"])
    }

    @Test func `an attribute may spread over lines and hold closures`() {
        let source = """
            extension Outer.Inner {
                @Test(
                    "shown name",
                    .requirement(
                        "SAC-01"
                    ),
                    arguments: [1, 2].map { $0 + 1 }
                )
                func plain(row: Int) {}
            }
            """
        #expect(scan(source).claims.map(\.suites) == [["Outer", "Inner"]])
        #expect(scan(source).claims.map(\.test) == ["plain"])
    }

    @Test(arguments: [
        "@Test func plain() {}",
        "let contradiction = Linearizability(calls).contradiction()",
        "// @Test(.requirement(\"QRY-01\")) func commented() {}",
        "let text = \"@Test(.requirement(\\\"QRY-01\\\")) func quoted() {}\"",
        "@available(*, deprecated) func old() {}",
        "@Test(.requirement(\"QRY-01\"))",
        "}}} @",
        "",
    ])
    func `text that claims nothing yields nothing`(source: String) {
        #expect(scan(source).claims.isEmpty)
        #expect(scan(source).problems.isEmpty)
    }

    @Test(arguments: [
        "@Test(.requirement(id)) func variable() {}",
        "@Test(.requirement()) func empty() {}",
        "let trait: any TestTrait = .requirement(\"QRY-01\")",
    ])
    func `an id the scanner cannot trust is a problem with its line`(source: String) {
        #expect(scan(source).claims.isEmpty)
        #expect(scan(source).problems.map(\.place) == ["SomeTests/Adding.swift:1"])
    }
}
