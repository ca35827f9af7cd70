/// One token of a Swift source file, with its first line.
struct SwiftToken: Equatable, Sendable {
    /// The kind of a token, as far as a scanner without a parser can determine it.
    enum Kind: Sendable {
        case identifier, rawIdentifier, string, comment, punctuation
    }

    /// The kind of the token.
    let kind: Kind
    /// The spelling; without delimiters for strings and raw identifiers.
    let text: String
    /// The line on which the token starts, from 1.
    let line: Int

    /// Makes a token with a spelling and a place.
    init(_ kind: Kind, _ text: String, line: Int) {
        self.kind = kind
        self.text = text
        self.line = line
    }

    /// Whether this is the word or punctuation mark itself, not the same text in quotes.
    func isCode(_ spelling: String) -> Bool {
        (kind == .identifier || kind == .punctuation) && text == spelling
    }

    /// Whether the token may name a declaration.
    var isName: Bool { kind == .identifier || kind == .rawIdentifier }
}
