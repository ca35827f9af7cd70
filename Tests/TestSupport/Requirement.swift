import Testing

/// Ties a test to the rows of the conformance ledger that it proves.
///
/// The ids are read from the source by the ledger generator, so they are written as plain literals.
package struct Requirement: TestTrait, SuiteTrait {
    package let ids: [String]
    package var isRecursive: Bool { true }
}

extension Trait where Self == Requirement {
    /// Names the requirement ids, such as `"QRY-03"`, that the test proves.
    package static func requirement(_ ids: String...) -> Requirement { Requirement(ids: ids) }
}

/// Ties a test to the contradictions whose answers it shows: rows of `contradictions.tsv`.
///
/// The ids are read from the source by the ledger generator, so they are written as plain literals.
package struct Contradiction: TestTrait, SuiteTrait {
    package let ids: [String]
    package var isRecursive: Bool { true }
}

extension Trait where Self == Contradiction {
    /// Names the contradictions, such as `"missing-operator"`, whose answers the test shows.
    package static func contradiction(_ ids: String...) -> Contradiction { Contradiction(ids: ids) }
}
