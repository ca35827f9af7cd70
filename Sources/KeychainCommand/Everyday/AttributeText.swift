import KeychainModel

/// An item's attributes as lines of text, each with a name, a colon and a value.
enum AttributeText {
    private static let head = """
        # Change what is behind a colon. The keychain gets it when you save and leave.
        # In a value, \\n is a line end, \\r a return and \\\\ a backslash.

        """

    /// Returns a line for each of the options.
    static func text(_ item: AttributeValues, _ options: [CommandOption]) -> String {
        head + options.map { "\(name(of: $0)): \(escaped(value(of: $0, in: item)))\n" }.joined()
    }

    /// Returns the changes that the text makes; nil if there are none.
    ///
    /// A missing line changes nothing.
    ///
    /// - Throws: `CommandFailure.input` for a line with an unknown name or an invalid value.
    static func changes(
        _ text: String,
        _ item: AttributeValues,
        _ options: [CommandOption]
    ) throws(CommandFailure) -> AttributeDictionary? {
        var changes: AttributeDictionary = [:]
        var isChanged = false
        for line in lines(of: text) where line.first != "#" {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let word = String(parts[0])
            guard parts.count == 2, let option = options.first(where: { name(of: $0) == word }),
                let target = option.target
            else {
                let names = options.map(name).joined(separator: ", ")
                throw .input("a line has to begin with one of these and a colon: \(names)")
            }
            let value = unescaped(parts[1].first == " " ? parts[1].dropFirst() : parts[1])
            let before = self.value(of: option, in: item)
            guard !value.utf8.elementsEqual(before.utf8) else { continue }
            guard let new = target.value(of: value) else {
                throw .input("invalid value for \(word): give \(target.expectation)")
            }
            changes[target.attribute] = new
            isChanged = true
        }
        return isChanged ? changes : nil
    }

    private static func name(of option: CommandOption) -> String {
        String(option.spellings[0].dropFirst("--set-".count))
    }

    private static func value(of option: CommandOption, in item: AttributeValues) -> String {
        guard let attribute = option.target?.attribute, case .string(let text)? = item[attribute]
        else { return "" }
        return attribute == .accessible ? ItemJSON.accessibility(text) : text
    }

    /// Returns the lines that are not empty, with the line ends of Unix or Windows.
    private static func lines(of text: String) -> [Substring.UnicodeScalarView] {
        text.unicodeScalars.split(separator: "\n").map { $0.last == "\r" ? $0.dropLast() : $0 }
            .filter { !$0.isEmpty }
    }

    // Works on scalars: a combining mark would join a backslash, and a return a line end.
    private static let escapes: [(scalar: Unicode.Scalar, letter: Unicode.Scalar)] = [
        ("\\", "\\"), ("\n", "n"), ("\r", "r"),
    ]

    private static func escaped(_ value: String) -> String {
        var text = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            guard let escape = escapes.first(where: { $0.scalar == scalar }) else {
                text.append(scalar)
                continue
            }
            text.append(contentsOf: ["\\", escape.letter])
        }
        return String(text)
    }

    private static func unescaped(_ value: Substring.UnicodeScalarView) -> String {
        var text = String.UnicodeScalarView()
        var rest = value
        while let next = rest.popFirst() {
            guard next == "\\", let letter = rest.popFirst() else {
                text.append(next)
                continue
            }
            text.append(escapes.first { $0.letter == letter }?.scalar ?? letter)
        }
        return String(text)
    }
}
