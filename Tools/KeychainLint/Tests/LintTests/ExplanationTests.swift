import Foundation
import LintOutput
import LintRules
import Testing

@Suite struct `An explanation` {
    @Test(.requirement("LNT-01", "LNT-15"), arguments: Catalogue.rules.map(\.id))
    func `names reason, way out, examples and sources`(id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        let text = Explanation.text(of: rule)
        #expect(text.hasPrefix("\(rule.id) \(rule.name) (\(rule.severity.rawValue))\n"))
        #expect(text.contains(rule.reason))
        #expect(text.contains(rule.advice))
        #expect(text.contains("\nSource: \(rule.source).\n"))
        let bad = try #require(text.range(of: "\nBad:\n\n    "))
        let good = try #require(text.range(of: "\nGood:\n\n    "))
        #expect(bad.upperBound < good.lowerBound)
        #expect(text.contains("OWASP") == (rule.owasp != nil))
        #expect(rule.owasp.map(text.contains) != false)
    }

    @Test(.requirement("LNT-15"), arguments: Catalogue.rules.filter { $0.owasp != nil }.map(\.id))
    func `names a control of OWASP as its standard does`(id: String) throws {
        let owasp = try #require(Catalogue.byID[id]?.owasp)
        let controls = owasp.split(separator: ", ")
        let form = /MASVS-(?:(?:STORAGE|CRYPTO|NETWORK)-[12]|(?:AUTH|PLATFORM)-[1-3]|CODE-[1-4])/
        #expect(!controls.isEmpty)
        #expect(controls.allSatisfy { $0.wholeMatch(of: form) != nil })
    }

    @Test(arguments: Scenario.all)
    func `names a scenario that exists and runs`(scenario: Scenario) throws {
        let repository = Lint.root.deletingLastPathComponent().deletingLastPathComponent()
        let file = repository.appending(path: scenario.file)
        let data = try Data(contentsOf: file)
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(json?["events"] is [Any])
        #expect(!scenario.rules.isEmpty)
        #expect(scenario.rules.filter { Catalogue.byID[$0] == nil } == [])
    }

    @Test func `shows what a mistake costs on a device`() throws {
        let rule = try #require(Catalogue.byID["KC203"])
        let text = Explanation.text(of: rule)
        #expect(
            text.contains("keychainctl simulate Examples/Scenarios/6-background-extension.json")
        )
    }

    @Test func `says what the linter reads, and what a running program says`() throws {
        let text = Explanation.text(of: try #require(Catalogue.byID["KC201"]))
        #expect(text.contains("\nTo find this mistake, the linter reads "))
        #expect(text.contains("KEYCHAIN_DIAGNOSTICS=1 prints it"))
    }

    @Test func `of a rule without scenario names none`() throws {
        let rule = try #require(Catalogue.byID["KC111"])
        #expect(!Explanation.text(of: rule).contains("simulate"))
    }

    @Test(arguments: [
        ("KC299", "KC201 to KC208 are about accessibility"),
        ("KC250", "KC201 to KC208 are about accessibility"),
        ("KX99", "KX01 to KX24 are about cryptography"),
        ("missing-acessible", "missing-accessible"),
        ("ignored", "ignored-status"),
        ("", "Documentation/Linting.md"),
        ("nothing like it", "Documentation/Linting.md"),
    ])
    func `that does not exist is refused with the closest`(name: String, hint: String) {
        #expect(Catalogue.rule(named: name) == nil)
        #expect(Explanation.refusal(of: name).contains(hint))
    }
}
