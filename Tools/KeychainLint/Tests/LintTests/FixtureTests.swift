import LintModel
import LintRules
import Testing

@Suite struct `The fixtures of the rules` {
    @Test(arguments: Fixture.all.filter(\.isBad))
    func `break their rule at the marked lines, and nowhere else`(fixture: Fixture) throws {
        let own = try Lint.findings(at: fixture.path).filter { $0.rule == fixture.rule }
        let places = Set(own.map { "\($0.place.file):\($0.place.line)" })
        let expected = try fixture.expectations()
        #expect(places == expected)
        #expect(!places.isEmpty)
    }

    @Test(arguments: Fixture.all.filter { !$0.isBad })
    func `are clean if they are good`(fixture: Fixture) throws {
        let findings = try Lint.findings(at: fixture.path)
        let wrong = findings.filter { $0.severity > .note || $0.rule == fixture.rule }
        #expect(wrong.map { "\($0.rule) in line \($0.place.line)" } == [])
    }

    @Test(arguments: Catalogue.rules.map(\.id))
    func `exist for every rule, bad and good`(rule: String) {
        let names = Fixture.all.filter { $0.rule == rule }
        #expect(names.contains { $0.isBad })
        #expect(names.contains { !$0.isBad })
    }

    @Test(arguments: Catalogue.rules.map(\.id))
    func `are the examples that an explanation shows`(rule: String) {
        #expect(Examples.bad[rule] != nil)
        #expect(Examples.good[rule] != nil)
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
