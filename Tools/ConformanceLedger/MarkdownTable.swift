/// The tables of the generated pages.
enum MarkdownTable {
    /// Returns the two lines above the rows.
    static func head(_ columns: String...) -> [String] {
        [row(columns), "|" + columns.map { _ in "---|" }.joined()]
    }

    /// Returns one row from cells in Markdown.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// Returns a text in a form that stays inside one cell and is not taken for HTML.
    static func cell(_ text: String) -> String {
        var result = ""
        var isCode = false
        for character in text {
            if character == "`" { isCode.toggle() }
            switch character {
            case "|": result += "\\|"
            case "<" where !isCode: result += "&lt;"
            default: result.append(character)
            }
        }
        return result
    }
}
