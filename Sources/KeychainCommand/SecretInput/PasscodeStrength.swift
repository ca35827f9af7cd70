import Glibc
import KeychainModel
import Secrets

// Law: the bytes are examined in place; no copy of a passcode leaves the memory that is wiped.

/// An estimate of the number of guesses that find a passcode.
///
/// It knows common habits: repetition, counting, walks along the keyboard, years, words and popular
/// passwords. It errs on the low side, because a warning costs less than a theft.
struct PasscodeStrength: Equatable {
    /// The time for one guess on one processor core, in seconds; a passcode's cost aims at it.
    static let secondsPerGuess = 0.5

    /// The order of magnitude: the number of guesses is 10 to this power.
    let magnitude: Int

    init(magnitude: Int) { self.magnitude = magnitude }

    init(of passcode: borrowing Secret) {
        let bits = passcode.withUnsafeBytes { bytes in Self.bits(of: bytes[...]) }
        magnitude = max(Int((bits * log10(2)).rounded()), 0)
    }

    /// Whether one core finds the passcode within 200 years, so that a thousand cores need weeks.
    var isWeak: Bool { magnitude < 10 }

    /// The number of guesses in words, such as `10,000` or `100 million`.
    var guesses: String {
        let scales = ["", ",000", " million", " billion", " trillion"]
        guard magnitude < 15 else { return "10^\(magnitude)" }
        return "1" + String(repeating: "0", count: magnitude % 3) + scales[magnitude / 3]
    }

    /// The time that one core needs for all guesses.
    var duration: String {
        guard magnitude < 15 else { return "more than 10 million years" }
        let seconds = pow(10, Double(magnitude)) * Self.secondsPerGuess
        let units = [("year", 31_557_600.0), ("day", 86400.0), ("hour", 3600.0), ("minute", 60.0)]
        let unit = units.first { seconds >= 2 * $0.1 } ?? ("second", 1)
        let count = Int(max((seconds / unit.1).rounded(), 1))
        return "\(count) \(unit.0)" + (count == 1 ? "" : "s")
    }
}

extension CommandContext {
    /// Warns about a secret that is easy to guess; ignores a failure to write the warning.
    ///
    /// - Parameters:
    ///   - secret: The secret that the user chose.
    ///   - name: The name of the secret, such as `passcode` or `backup password`.
    func warnIfWeak(_ secret: borrowing Secret, called name: String) {
        let strength = PasscodeStrength(of: secret)
        guard strength.isWeak else { return }
        let time = "\(strength.duration) on one core at half a second each"
        try? note("warning: about \(strength.guesses) guesses find this \(name): \(time)")
        try? note("choose six random words instead (see SECURITY.md)")
    }
}

// The number of bits of choice in the bytes.
extension PasscodeStrength {
    typealias Bytes = Slice<UnsafeRawBufferPointer>

    private static func bits(of bytes: Bytes) -> Double {
        if commonest.contains(where: { isSpelled($0, bytes) }) {
            return log2(Double(commonest.count)) + 1
        }
        if let period = period(of: bytes) {
            return bits(of: bytes.prefix(period)) + log2(Double(bytes.count / period))
        }
        let pool = poolBits(of: bytes)
        var rest = bytes
        var sum = 0.0
        while let first = rest.first {
            let piece = pattern(rest) ?? (1, first & 0xC0 == 0x80 ? 0 : pool)
            sum += min(piece.bits, pool * Double(piece.length))
            rest = rest.dropFirst(piece.length)
        }
        return sum
    }

    /// Returns the length and bits of a pattern at the start, whose bytes were not chosen one by
    /// one.
    private static func pattern(_ rest: Bytes) -> (length: Int, bits: Double)? {
        let run = runLength(rest)
        if run >= 3 { return (run, log2(Double(run * poolSize(of: rest.prefix(1)) * 3))) }
        let walk = keyboardRows.map { walkLength(rest, along: $0) }.max() ?? 0
        if walk >= 4 { return (walk, log2(Double(walk * 40))) }
        if isYear(rest) { return (4, log2(200)) }
        let letters = rest.prefix { isLetter($0) }.count
        guard letters >= 3, readsAsWords(rest.prefix(letters)) else { return nil }
        // Each ten letters count as one of 100,000 words, in upper or lower case.
        return (letters, 18 * Double((letters + 9) / 10))
    }

    /// Returns the length of the shortest piece that repeats throughout; nil if none does.
    private static func period(of bytes: Bytes) -> Int? {
        let start = bytes.startIndex
        return (1...max(bytes.count / 2, 1)).first { period in
            period < bytes.count && bytes.count.isMultiple(of: period)
                && bytes.indices.dropFirst(period).allSatisfy {
                    bytes[$0] == bytes[start + (($0 - start) % period)]
                }
        }
    }

    /// Returns the length of a run with equal steps of -1, 0 or 1, such as `aaaa`, `3456` or
    /// `dcba`.
    private static func runLength(_ rest: Bytes) -> Int {
        guard rest.count >= 2 else { return rest.count }
        let step = Int(rest[rest.startIndex + 1]) - Int(rest[rest.startIndex])
        guard (-1...1).contains(step) else { return 1 }
        let pairs = zip(rest, rest.dropFirst())
        return 1 + pairs.prefix { Int($0.1) - Int($0.0) == step }.count
    }

    private static func walkLength(_ rest: Bytes, along row: [UInt8]) -> Int {
        guard let first = rest.first, let place = row.firstIndex(of: folded(first)) else {
            return 0
        }
        let right = zip(rest, row[place...]).prefix { folded($0.0) == $0.1 }.count
        let left = zip(rest, row[...place].reversed()).prefix { folded($0.0) == $0.1 }.count
        return max(right, left)
    }

    /// Whether exactly four digits begin here, and are a year of the 20th or 21st century.
    private static func isYear(_ rest: Bytes) -> Bool {
        let head = rest.prefix(4)
        let before = rest.base[..<rest.startIndex].last
        guard rest.prefix(while: isDigit).count == 4, before.map(isDigit) != true else {
            return false
        }
        return isSpelled(Array("19".utf8), head.prefix(2))
            || isSpelled(Array("20".utf8), head.prefix(2))
    }

    /// Whether vowels are as frequent as in speech.
    private static func readsAsWords(_ letters: Bytes) -> Bool {
        let spoken = letters.count { vowels.contains(folded($0)) }
        var consonants = 0
        let isSpeakable = letters.allSatisfy { letter in
            consonants = vowels.contains(folded(letter)) ? 0 : consonants + 1
            return consonants <= 4
        }
        return isSpeakable && spoken * 5 >= letters.count
    }

    /// Whether the bytes spell a word, in any letter case and with digits in place of letters.
    private static func isSpelled(_ word: [UInt8], _ bytes: Bytes) -> Bool {
        word.count == bytes.count && zip(word, bytes).allSatisfy { $0 == folded($1) || $0 == $1 }
    }
}

// Kinds of bytes.
extension PasscodeStrength {
    private static func poolBits(of bytes: Bytes) -> Double { log2(Double(poolSize(of: bytes))) }

    /// Returns the number of characters of the kinds that appear.
    private static func poolSize(of bytes: Bytes) -> Int {
        let kinds: [(size: Int, contains: (UInt8) -> Bool)] = [
            (10, isDigit),
            (26, { isLetter($0) && $0 & 0x20 != 0 }),
            (26, { isLetter($0) && $0 & 0x20 == 0 }),
            (33, { $0 < 0x80 && !isDigit($0) && !isLetter($0) }),
            (128, { $0 >= 0x80 }),
        ]
        return kinds.filter { bytes.contains(where: $0.contains) }.reduce(0) { $0 + $1.size }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        switch byte {
        case _ where (0x41...0x5A).contains(byte): byte | 0x20
        case UInt8(ascii: "0"): UInt8(ascii: "o")
        case UInt8(ascii: "1"): UInt8(ascii: "i")
        case UInt8(ascii: "3"): UInt8(ascii: "e")
        case UInt8(ascii: "4"), UInt8(ascii: "@"): UInt8(ascii: "a")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "s")
        default: byte
        }
    }

    private static let vowels = Array("aeiouy".utf8)

    private static let keyboardRows = [
        "qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm", "azertyuiop", "qsdfghjklm",
    ].map { Array($0.utf8) }

    /// The most common stolen passwords, apart from those that the patterns recognize.
    private static let commonest = [
        "password", "passwort", "passw0rd", "letmein", "iloveyou", "welcome", "admin", "login",
        "dragon", "monkey", "master", "princess", "sunshine", "football", "baseball", "shadow",
        "superman", "batman", "trustno1", "starwars", "secret", "changeme", "default", "root",
        "test", "guest", "keychain", "hello", "charlie", "michael", "jordan", "daniel", "qazwsx",
        "1q2w3e4r", "zaq12wsx", "abc123", "password1", "password123", "hunter2", "whatever",
    ].map { Array($0.utf8) }
}
