extension String {
    /// The text on one line, with control characters as escapes; tabs stay.
    ///
    /// Names and messages come from code that nobody trusts: they must not speak to the terminal.
    package var visible: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control where scalar != "\t", .lineSeparator, .paragraphSeparator, .format:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
