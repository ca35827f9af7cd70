import KeychainModel

extension FuzzTarget {
    /// The dictionaries of the four item functions.
    ///
    /// A parse depends on its input alone, never fails with success, and gives values that the
    /// schema takes as they are.
    static let query = FuzzTarget(name: "query") { bytes throws(BrokenLaw) in
        let script = DictionaryScript(bytes)
        let first = Parse(script)
        let second = Parse(script)
        try require(
            first.status == second.status && first.findingCount == second.findingCount,
            "the same dictionary is parsed to the same status twice"
        )
        try require(first.isAccepted == (first.status == .success), "an error is not success")
        if let itemClass = first.itemClass {
            for (attribute, value) in first.values {
                try check(attribute, value, in: itemClass)
            }
        }
        return first.isAccepted ? .accepted : .refused
    }

    private static func check(
        _ attribute: Attribute,
        _ value: AttributeValue,
        in itemClass: ItemClass
    ) throws(BrokenLaw) {
        let name = attribute.rawValue
        guard let spec = Schema.spec(attribute, in: itemClass) else {
            throw BrokenLaw(law: "'\(name)' is in the schema of \(itemClass.rawValue)")
        }
        guard let again = Coercion.coerce(value, to: spec.kind) else {
            throw BrokenLaw(law: "the coerced value of '\(name)' is taken again")
        }
        try require(
            Coercion.canonicalBytes(of: again, kind: spec.kind)
                == Coercion.canonicalBytes(of: value, kind: spec.kind),
            "the coerced value of '\(name)' stays as it is"
        )
    }
}

/// What became of a script.
private struct Parse {
    private(set) var status = SecurityStatus.success
    private(set) var isAccepted = true
    private(set) var itemClass: ItemClass?
    private(set) var values: AttributeValues = [:]
    private(set) var findingCount = 0

    private static let systems: [SystemProfile] = [
        .iOS(26), .iOS(7), .macOS(26), .host, .iOSSimulator,
    ]
    private static let behaviors: [BehaviorProfile] = [.documented, .appleSource]
    private static let verbs: [Finding.Verb] = [.add, .copyMatching, .update, .delete]

    init(_ script: DictionaryScript) {
        let choice = Int(script.choice)
        let verb = Self.verbs[choice & 3]
        let behavior = Self.behaviors[choice >> 2 & 1]
        let system = Self.systems[(choice >> 3) % Self.systems.count]
        var parser = QueryParser(verb, profiles: Profiles(system: system, behavior: behavior))
        do throws(KeychainError) {
            try take(script, verb, &parser)
        } catch {
            status = error.status
            isAccepted = false
        }
        findingCount = parser.findings.count
    }

    private mutating func take(
        _ script: DictionaryScript,
        _ verb: Finding.Verb,
        _ parser: inout QueryParser
    ) throws(KeychainError) {
        switch verb {
        case .copyMatching: take(try parser.select(script.dictionary).selection)
        case .delete: take(try parser.delete(script.dictionary).selection)
        case .update:
            let query = try parser.update(script.dictionary, with: script.changes)
            take(query.selection)
            values.merge(query.changes.attributes) { $1 }
        default:
            let query = try parser.add(script.dictionary)
            itemClass = query.itemClass
            values = query.attributes
        }
    }

    private mutating func take(_ selection: Selection) {
        itemClass = selection.itemClass
        values = selection.terms
    }
}
