/// One row of the ledger: something the keychain promises, and who says so.
struct Requirement: Equatable, Sendable {
    /// Where a statement comes from, which is also how firmly it is known.
    enum Origin: String, CaseIterable, Sendable {
        /// The guides that describe the system.
        case guide
        /// A document related to the guides.
        case related
        /// Apple's published headers or source only.
        case source
        /// Inferred for Linux; no document says it.
        case linux
    }

    /// Area and number, such as `QRY-03`.
    let id: String
    /// How firmly the statement is known.
    let origin: Origin
    /// The promise, in one sentence.
    let statement: String
    /// The documents that say it.
    let source: String
    /// The outcome the documents name, where Apple's source does otherwise; else empty.
    let documented: String
    /// What Apple's source does, where the documents say otherwise; else empty.
    let appleSource: String
    /// What one does, and what one then sees, where the promise holds.
    let check: String

    /// The three letters before the number.
    var area: String { String(id.prefix { $0 != "-" }) }
}
