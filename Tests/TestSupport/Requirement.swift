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
