extension String {
    /// The text on one line, with control characters as escapes; tabs stay.
    ///
    /// Names and messages come from code that nobody trusts: they must not speak to the terminal,
    /// nor to a CI system that reads `##[command]` in the output.
    package var visible: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\t", .lineSeparator, .paragraphSeparator, .format:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            case _ where scalar == "[" && text.hasSuffix("##"): text += "\\u{5b}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// A path as the start of a line: CI systems take `::name` there for a command.
    package var visiblePath: String {
        let path = visible
        return path.drop(while: \.isWhitespace).hasPrefix("::") ? "./" + path : path
    }
}
