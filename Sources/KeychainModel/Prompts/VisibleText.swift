/// Text that cannot act on a terminal.
package enum VisibleText {
    /// Whether a scalar is invisible or controls output: controls, direction marks, separators.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            true
        default: false
        }
    }

    /// Returns the same text, with every hidden scalar written as `\u{…}`.
    package static func escaping(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if isHidden(scalar) {
                visible += "\\u{" + String(scalar.value, radix: 16) + "}"
            } else {
                visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }
}
