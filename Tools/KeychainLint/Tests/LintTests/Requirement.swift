import Testing

/// Ties a test to the rows of Documentation/Conformance.md that it proves.
///
/// The ids are plain literals, because the ledger reads them from the source.
struct Requirement: TestTrait, SuiteTrait {
    let ids: [String]
    var isRecursive: Bool { true }
}

extension Trait where Self == Requirement {
    /// Names the requirement ids that the test proves.
    static func requirement(_ ids: String...) -> Requirement { Requirement(ids: ids) }
}
