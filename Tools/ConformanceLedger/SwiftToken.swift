/// One lexical piece of a Swift source file, with the line on which it starts.
struct SwiftToken: Equatable, Sendable {
    /// What a token is, as far as a scanner without a parser can tell.
    enum Kind: Sendable {
        case identifier, rawIdentifier, string, comment, punctuation
    }

    /// What the token is.
    let kind: Kind
    /// The spelling; strings and raw identifiers without their delimiters.
    let text: String
    /// The line the token starts on, from 1.
    let line: Int

    /// A token with its spelling and place.
    init(_ kind: Kind, _ text: String, line: Int) {
        self.kind = kind
        self.text = text
        self.line = line
    }

    /// Whether this is the bare word or punctuation mark, not the same text in quotes.
    func isCode(_ spelling: String) -> Bool {
        (kind == .identifier || kind == .punctuation) && text == spelling
    }

    /// Whether the token may name a declaration.
    var isName: Bool { kind == .identifier || kind == .rawIdentifier }
}
