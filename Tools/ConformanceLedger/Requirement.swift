/// One row of the ledger: a promise of the keychain, and its source.
struct Requirement: Equatable, Sendable {
    /// The origin of a statement, which also determines its certainty.
    enum Origin: String, CaseIterable, Sendable {
        /// The guides that describe the system.
        case guide
        /// A document related to the guides.
        case related
        /// Only Apple's published headers or source.
        case source
        /// An inference for Linux, which no document states.
        case linux
    }

    /// Area and number, such as `QRY-03`.
    let id: String
    /// The origin of the statement.
    let origin: Origin
    /// The promise, in one sentence.
    let statement: String
    /// The documents that state it.
    let source: String
    /// The outcome according to the documents, if Apple's source differs; otherwise empty.
    let documented: String
    /// The behavior of Apple's source, if the documents differ; otherwise empty.
    let appleSource: String
    /// The actions for a check, and the results if the promise holds.
    let check: String

    /// The three letters before the number.
    var area: String { String(id.prefix { $0 != "-" }) }
}
