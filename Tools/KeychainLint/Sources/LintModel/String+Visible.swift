extension String {
    /// The text on one line, with control characters as escapes; tabs stay.
    ///
    /// Names and messages come from untrusted code. They must not control the terminal, nor a CI
    /// system that reads `##[command]` in the output.
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

    /// A path for the start of a line, where CI systems take `::name` for a command.
    package var visiblePath: String {
        let path = visible
        return path.drop(while: \.isWhitespace).hasPrefix("::") ? "./" + path : path
    }
}
