/// The generated part of a page, between `<!-- name -->` and `<!-- /name -->`.
enum MarkedSection {
    /// Replaces the lines between the marks; everything else stays the same.
    ///
    /// - Returns: nil unless the page has both marks once, in this order.
    static func replacing(_ name: String, in page: String, with text: String) -> String? {
        let opening = "<!-- \(name) -->"
        let closing = "<!-- /\(name) -->"
        let parts = page.split(separator: opening, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let rest = parts[1].split(separator: closing, omittingEmptySubsequences: false)
        guard rest.count == 2 else { return nil }
        return parts[0] + opening + "\n" + text + "\n" + closing + rest[1]
    }
}
