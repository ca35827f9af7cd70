import Cryptography
import Testing

@testable import PlaintextFormats

/// A part of a made-up file.
private struct Part {
    let text: String
    /// What is found in it, as `place=secret`; nil for what is to stay.
    let found: String?
}

private let letters = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789"
private let symbols = letters + "!$%&()*+,-./:;<=>?@[]^_{|}~é✓ "

// ★ Table: how a file of each format is made up, part by part; numbers keep names apart.
private let makers: [(format: String, make: @Sendable (inout SeededNumbers, Int) -> Part)] = [
    (
        "env",
        { dice, number in
            let name = "K\(number)_" + dice.word(of: letters, 0...5)
            let value = dice.word(of: symbols, 1...20)
            let line =
                dice.pick(["", "export ", "  "]) + "\(name)='\(value)'" + dice.pick(["", " # c"])
            return Part(text: line, found: "·/\(name)=\(value)")
        }
    ),
    (
        "netrc",
        { dice, number in
            let host = "h\(number)." + dice.word(of: letters, 1...8)
            let value = dice.word(of: symbols.filter { $0 != " " }, 1...20)
            let gap = dice.pick([" ", "\t", "  ", "\n\t"])
            let quoted = dice.chance(1, in: 2) ? value : "\"\(value)\""
            let line = "machine \(host)\(gap)login u\(gap)password \(quoted)"
            return Part(text: line, found: "*://u@\(host)=\(value)")
        }
    ),
    (
        "git-credentials",
        { dice, number in
            let value = dice.word(of: letters + "-._~!$&'()*+,;=", 1...20)
            let path = dice.pick(["", "/", "/a.git"])
            return Part(
                text: "https://u%40x:\(value)@h\(number)\(path)",
                found: "htps://u@x@h\(number)\(path == "/" ? "" : path)=\(value)"
            )
        }
    ),
    (
        "aws",
        { dice, number in
            let value = dice.word(of: letters + "/+=", 1...40)
            let gap = dice.pick(["=", " = ", "\t="])
            return Part(
                text: "[p\(number)]\naws_secret_access_key\(gap)\(value)",
                found: "aws:p\(number)/AWS_SECRET_ACCESS_KEY=\(value)"
            )
        }
    ),
    (
        "cargo",
        { dice, number in
            let value = dice.word(of: symbols.filter { $0 != "\"" }, 1...20)
            let gap = dice.pick(["=", " = ", "\t="]) + dice.pick(["'", "\""])
            let line = gap + value + String(gap.suffix(1)) + dice.pick(["", " # c"])
            return Part(
                text: "[registries.r\(number)]\ntoken\(line)",
                found: "cargo:r\(number)/CARGO_REGISTRIES_R\(number)_TOKEN=\(value)"
            )
        }
    ),
    (
        "pgpass",
        { dice, number in
            let value = dice.word(of: symbols, 1...20)
            let written = value.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return Part(
                text: "h\(number):1:d:u:\(written)",
                found: "psql://u@h\(number):1/d=\(value)"
            )
        }
    ),
    (
        "npmrc",
        { dice, number in
            let value = dice.word(of: letters + "-_", 1...40)
            let gap = dice.pick(["=", " = "])
            return Part(
                text: "//h\(number)/x/:_authToken\(gap)\(value)",
                found: "htps://_authToken@h\(number)/x=\(value)"
            )
        }
    ),
    (
        "pypirc",
        { dice, number in
            let value = dice.word(of: letters + "-_=:/", 1...40)
            return Part(
                text:
                    "[s\(number)]\nrepository: https://h\(number)/\nusername = u\n"
                    + "password: \(value)",
                found: "htps://u@h\(number)=\(value)"
            )
        }
    ),
    (
        "csv",
        { dice, number in
            let value = dice.word(of: symbols + "\",", 1...20)
            let quoted = value.replacing("\"", with: "\"\"")
            return Part(
                text: "N,https://h\(number)/,u,\"\(quoted)\"",
                found: "htps://u@h\(number)=\(value)"
            )
        }
    ),
]

@Suite struct `A random plain text file` {
    private static let seeds: [UInt64] = (1...40).map { $0 &* 0x9E37_79B9 }

    @Test(arguments: makers.map(\.format), seeds)
    func `gives every secret, and loses nothing else to their removal`(
        format: String,
        seed: UInt64
    ) throws {
        var dice = SeededNumbers(seed: seed)
        let maker = try #require(makers.first { $0.format == format })
        let ending = dice.pick(["\n", "\r\n"])
        let parts = (0..<Int.random(in: 0...12, using: &dice)).map { number in
            dice.chance(1, in: 3)
                ? Part(
                    text: format == "csv" ? "" : dice.pick(["# c", "", "# machine x"]),
                    found: nil
                )
                : maker.make(&dice, number)
        }
        let header = format == "csv" ? ["name,url,username,password" + ending] : []
        let lines = parts.map { $0.text.replacing("\n", with: ending) + ending }
        let text = (header + lines).joined()
        let file = try PlaintextFile(text, as: format)
        let found = file.entries.map { "\($0.placeText)=\($0.secretText)" }
        #expect(found == parts.compactMap(\.found), "seed \(seed)")
        try expectRestIsKept(file, text, format, &dice, "seed \(seed)")
    }

    /// Without some of the entries, exactly the others are found, and only their bytes are gone.
    private func expectRestIsKept(
        _ file: PlaintextFile,
        _ text: String,
        _ format: String,
        _ dice: inout SeededNumbers,
        _ place: Comment
    ) throws {
        let gone = file.entries.filter { _ in dice.chance(1, in: 2) }
        let kept = Set(file.entries.map(\.placeText)).subtracting(gone.map(\.placeText))
        let rest = try file.text(removing: gone, as: format)
        let reread = try PlaintextFile(rest, as: format)
        #expect(Set(reread.entries.map(\.placeText)) == kept, place)
        let ranges = gone.flatMap(\.removal)
        let replacements = Dictionary(
            gone.flatMap { entry in entry.removal.map { ($0.lowerBound, entry.replacement) } }
        ) { first, _ in first }
        let bytes = Array(text.utf8).enumerated().flatMap { index, byte in
            (replacements[index] ?? []) + (ranges.contains { $0.contains(index) } ? [] : [byte])
        }
        #expect(Array(rest.utf8) == bytes, place)
        if PlaintextFormat.named(format)?.hasIndependentEntries ?? false {
            let removals = try file.removals(of: gone, as: format).taken
            #expect(file.traces(of: gone) == removals.map(\.trace), place)
        }
        let restored = try file.bytesRestoring(gone, as: format)
        #expect(restored == Array(text.utf8), place)
        let comments = text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("#") }
        let left = rest.split(whereSeparator: \.isNewline).count { $0.hasPrefix("#") }
        #expect(left == comments, place)
    }

    @Test(arguments: PlaintextFormat.all.map(\.name), seeds)
    func `of noise is read or refused by line`(format: String, seed: UInt64) {
        var dice = SeededNumbers(seed: seed)
        let pieces = [
            "machine", "login", "password", "default", "macdef", "account", " ", " ", "\n", "\n",
            "\r\n", "\"", "'", "\\", "#", ";", "=", ":", "[", "]", "//", "https://", "u:p@h", "%4",
            "%",
            "_authToken", "_password", "aws_session_token", "export ", "A", "${", "*", "\u{FF}",
            "1", "{", "}", ",", "{\"auths\":{\"h\":{\"auth\":", "\"YTpi\"", "{\"items\":[",
            "\\u12", "name,url,username,password\n",
        ]
        let bytes = (0..<Int.random(in: 0...60, using: &dice)).flatMap { _ -> [UInt8] in
            dice.chance(1, in: 30)
                ? [UInt8(truncatingIfNeeded: dice.next())] : Array(dice.pick(pieces).utf8)
        }
        let lineCount = bytes.count { $0 == UInt8(ascii: "\n") } + 1
        do throws(PlaintextError) {
            let file = try PlaintextFile(bytes: bytes, as: format)
            let wrong = file.entries.filter { entry in
                let removed = entry.removal.reduce(0) { $0 + $1.count - entry.replacement.count }
                return file.removing(entry).byteCount != bytes.count - removed
            }
            #expect(wrong.map(\.placeText) == [], "seed \(seed)")
        } catch {
            #expect((1...lineCount).contains(error.line), "seed \(seed)")
        }
    }
}
