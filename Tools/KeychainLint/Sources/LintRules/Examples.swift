/// Examples of mistakes and of correct code, by the number of the rule.
package enum Examples {
    package static let bad: [String: String] = merged([
        badKC1, badKC2, badKC3, badKC4, badKC5, badKC6, badKC7, badKC8, badKC9, badKX,
    ])

    package static let good: [String: String] = merged([
        goodKC1, goodKC2, goodKC3, goodKC4, goodKC5, goodKC6, goodKC7, goodKC8, goodKC9, goodKX,
    ])

    private static func merged(_ tables: [[String: String]]) -> [String: String] {
        tables.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
