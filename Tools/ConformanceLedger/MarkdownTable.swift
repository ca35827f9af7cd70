/// Tables of the generated pages.
enum MarkdownTable {
    /// The two lines above the rows.
    static func head(_ columns: String...) -> [String] {
        [row(columns), "|" + columns.map { _ in "---|" }.joined()]
    }

    /// One row of cells that are Markdown already.
    static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

    /// Text that stays inside one cell of a table and is not taken for HTML.
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
