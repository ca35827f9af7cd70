import LintModel
import LintRules
import Testing

@Suite struct `The fixtures of the rules` {
    @Test(.requirement("LNT-01"), arguments: Fixture.all.filter(\.isBad))
    func `break their rule at the marked lines, and nowhere else`(fixture: Fixture) throws {
        let own = try Lint.findings(at: fixture.path).filter { $0.rule == fixture.rule }
        let places = Set(own.map { "\($0.place.file):\($0.place.line)" })
        let expected = try fixture.expectations()
        #expect(places == expected)
        #expect(!places.isEmpty)
    }

    @Test(.requirement("LNT-01", "LNT-14"), arguments: Fixture.all.filter { !$0.isBad })
    func `are clean if they are good`(fixture: Fixture) throws {
        let findings = try Lint.findings(at: fixture.path)
        let wrong = findings.filter { $0.severity > .note || $0.rule == fixture.rule }
        #expect(wrong.map { "\($0.rule) in line \($0.place.line)" } == [])
    }

    @Test(.requirement("LNT-01"), arguments: Catalogue.rules.map(\.id))
    func `exist for every rule, bad and good`(rule: String) {
        let names = Fixture.all.filter { $0.rule == rule }
        #expect(names.contains { $0.isBad })
        #expect(names.contains { !$0.isBad })
    }

    @Test(.requirement("LNT-01"), arguments: Catalogue.rules.map(\.id))
    func `are the examples that an explanation shows`(rule: String) throws {
        let bad = try #require(Examples.bad[rule])
        let good = try #require(Examples.good[rule])
        #expect(bad != good)
        #expect(!bad.isEmpty && !good.isEmpty)
    }
}

@Suite struct `A label of one's own on a key` {
    @Test(.requirement("CLS-25"), arguments: Fixture.all.filter { $0.rule == "KC404" && $0.isBad })
    func `is a finding`(fixture: Fixture) throws {
        #expect(try Lint.findings(at: fixture.path).contains { $0.rule == "KC404" })
    }
}

@Suite struct `The catalogue` {
    @Test func `gives every rule a number and a name of its own`() {
        #expect(Set(Catalogue.rules.map(\.id)).count == Catalogue.rules.count)
        #expect(Set(Catalogue.rules.map(\.name)).count == Catalogue.rules.count)
    }

    @Test func `yields only to rules that exist`() {
        let targets = Catalogue.rules.flatMap(\.yieldsTo)
        #expect(targets.filter { Catalogue.byID[$0] == nil } == [])
    }
}
