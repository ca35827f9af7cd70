import KeychainModel

/// Text in columns.
package enum TextTable {
    /// Returns left-aligned columns, two spaces apart, with control characters escaped.
    package static func page(_ rows: [[String]]) -> Page {
        let cells = rows.map { row in row.map(VisibleText.escaping) }
        let columnCount = cells.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            cells.map { row in column < row.count ? row[column].count : 0 }.max() ?? 0
        }
        var page = Page()
        for row in cells { page.append(raw: line(row, widths) + "\n") }
        return page
    }

    private static func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (cell, width) in zip(row, widths) {
            line += cell + String(repeating: " ", count: width - cell.count + 2)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
