/// The detection of hosts that resemble each other.
///
/// The result only explains a refusal, and permits nothing: hosts match only by their ASCII form.
/// So the table contains the usual tricks, and need not be complete.
/// - Source: UTS #39, "Confusable Detection" and "Mixed-Script Detection".
package enum LookAlike {
    /// Whether a label of a host mixes scripts whose letters resemble one another.
    package static func mixesScripts(_ host: HostName) -> Bool {
        host.unicode.split(separator: ".").contains { label in
            Set(label.unicodeScalars.compactMap(Script.init)).count > 1
        }
    }

    /// Whether a page's host resembles another host, or contains it in its own name.
    package static func resembles(_ page: HostName, _ host: HostName) -> Bool {
        guard page.kind == .domain, host.kind == .domain, page != host else { return false }
        let shown = skeleton(page)
        let real = skeleton(host)
        let dashed = real.split(separator: ".").joined(separator: "-")
        return shown == real || shown.hasPrefix(real + ".") || shown.contains("." + real + ".")
            || shown.hasPrefix(real + "-") || shown.hasPrefix(dashed + ".")
    }

    /// Returns a host with each letter replaced by the plain one that it resembles.
    static func skeleton(_ host: HostName) -> String {
        var plain = ""
        for scalar in host.unicode.unicodeScalars {
            plain.unicodeScalars.append(table[scalar] ?? scalar)
        }
        return pairs.reduce(plain) { text, pair in
            text.split(separator: pair.shown, omittingEmptySubsequences: false)
                .joined(separator: pair.read)
        }
    }

    private static let pairs: [(shown: String, read: String)] = [("rn", "m"), ("vv", "w")]

    private static let table: [Unicode.Scalar: Unicode.Scalar] = {
        var table: [Unicode.Scalar: Unicode.Scalar] = [:]
        for (plain, others) in likenesses {
            for scalar in others.unicodeScalars { table[scalar] = plain }
        }
        return table
    }()

    //  plain  similar characters: digits, accents, then Cyrillic, Greek, Armenian
    private static let likenesses: [(Unicode.Scalar, String)] = [
        ("a", "àáâãäåāăąǎạảɑаα"),
        ("b", "ƀɓЬьв"),
        ("c", "çćĉċčсϲ"),
        ("d", "ďđḍԁժ"),
        ("e", "èéêëēĕėęěẹẻеєεҽ"),
        ("f", "ƒẝ"),
        ("g", "ĝğġģɡց"),
        ("h", "ĥħḥһհн"),
        ("i", "ìíîïĩīĭįıịіїι"),
        ("j", "ĵјϳ"),
        ("k", "ķƙкκ"),
        ("l", "1ĺļľŀłḷӏ"),
        ("m", "ḿṃм"),
        ("n", "ñńņňŉṇпηո"),
        ("o", "0òóôõöøōŏőơọỏоοσօ"),
        ("p", "ƥрρ"),
        ("q", "ԛզ"),
        ("r", "ŕŗřгɾ"),
        ("s", "śŝşšșṣѕ"),
        ("t", "ţťŧțṭтτ"),
        ("u", "ùúûüũūŭůűųưụủυսц"),
        ("v", "ѵν"),
        ("w", "ŵẁẃẅԝωш"),
        ("x", "хχ"),
        ("y", "ýÿŷỳỵуγү"),
        ("z", "źżžẓᴢ"),
    ]

    /// The scripts with similar letters.
    private enum Script {
        case latin, greek, cyrillic, armenian, georgian, cherokee

        init?(_ scalar: Unicode.Scalar) {
            switch scalar.value {
            case 0x61...0x7A, 0xC0...0x24F, 0x250...0x2AF, 0x1D00...0x1DBF, 0x1E00...0x1EFF:
                self = .latin
            case 0x370...0x3FF, 0x1F00...0x1FFF: self = .greek
            case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: self = .cyrillic
            case 0x530...0x58F: self = .armenian
            case 0x10A0...0x10FF, 0x1C90...0x1CBF: self = .georgian
            case 0x13A0...0x13FF, 0xAB70...0xABBF: self = .cherokee
            default: return nil
            }
        }
    }
}
