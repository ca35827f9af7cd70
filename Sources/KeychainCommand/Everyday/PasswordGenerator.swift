import Cryptography
import Glibc
import Secrets

/// A generator of passwords and passphrases that are all equally likely.
struct PasswordGenerator {
    /// The source of randomness.
    let random: any RandomSource

    /// A password with its strength in bits: the base-2 logarithm of the number of candidates.
    struct Drawn {
        let secret: SharedSecret
        let bits: Double
    }

    /// Returns a password with at least one character of every class.
    ///
    /// It draws from all characters, and starts again if a class is missing. So all passwords are
    /// equally likely. They would not be if one position belonged to each class.
    ///
    /// - Parameters:
    ///   - length: The number of characters; at least the number of classes.
    ///   - classes: Disjoint sets of ASCII characters.
    /// - Returns: The password.
    /// - Throws: `backend` if the source of randomness fails.
    func password(
        length: Int,
        of classes: [[UInt8]]
    ) throws(CryptographyError) -> Drawn {
        let alphabet = classes.flatMap(\.self)
        while true {
            let secret = try Secret(byteCount: length) { target throws(CryptographyError) in
                for index in target.indices {
                    target[index] = alphabet[try number(below: alphabet.count)]
                }
            }
            let isComplete = secret.withUnsafeBytes { bytes in
                classes.allSatisfy { members in bytes.contains(where: members.contains) }
            }
            guard isComplete else { continue }
            let bits = Self.bits(length: length, classes.map(\.count))
            return Drawn(secret: SharedSecret(secret), bits: bits)
        }
    }

    /// Returns random words with dashes between them.
    ///
    /// - Parameters:
    ///   - count: The number of words, at least 1.
    ///   - list: The candidates, without duplicates.
    /// - Returns: The passphrase.
    /// - Throws: `backend` if the source of randomness fails.
    func passphrase(
        words count: Int,
        from list: [ArraySlice<UInt8>]
    ) throws(CryptographyError) -> Drawn {
        var phrase = Secret(byteCount: 0) { _ in }
        for position in 0..<count {
            let word = list[try number(below: list.count)]
            let lead: [UInt8] = position == 0 ? [] : [UInt8(ascii: "-")]
            phrase = Secret(concatenating: phrase, Secret(copying: lead + word))
        }
        let bits = Double(count) * log2(Double(list.count))
        return Drawn(secret: SharedSecret(phrase), bits: bits)
    }

    /// Returns a number below `count`.
    ///
    /// Discards draws from an incomplete last range, which would make small numbers more likely.
    func number(below count: Int) throws(CryptographyError) -> Int {
        let rounds = UInt32.max / UInt32(count)
        while true {
            let drawn = try random.secret(4).withUnsafeBytes { bytes in
                bytes.loadUnaligned(as: UInt32.self)
            }
            if drawn < rounds * UInt32(count) { return Int(drawn % UInt32(count)) }
        }
    }

    /// Returns the base-2 logarithm of the number of passwords with a character of every class.
    ///
    /// Uses inclusion–exclusion: counts all passwords, subtracts those that lack a class, and adds
    /// back those that were subtracted twice.
    static func bits(length: Int, _ sizes: [Int]) -> Double {
        let total = Double(sizes.reduce(0, +))
        let share = (0..<1 << sizes.count).reduce(0.0) { sum, missing in
            let left = sizes.indices.filter { missing & 1 << $0 == 0 }.map { sizes[$0] }
            let sign = (sizes.count - left.count).isMultiple(of: 2) ? 1.0 : -1.0
            return sum + sign * pow(Double(left.reduce(0, +)) / total, Double(length))
        }
        return Double(length) * log2(total) + log2(share)
    }
}

/// The words for passphrases: those of a system's list that are easy to type and to read aloud.
enum WordList {
    static let path = "/usr/share/dict/words"
    private static let lengths = 3...8
    /// The fewest words; with fewer, a passphrase of six words has less than 60 bits.
    private static let fewest = 1024
    private static let byteCountLimit = 64 << 20

    /// Returns the words of lower-case ASCII letters, without duplicates.
    ///
    /// - Throws: `CommandFailure.input` if the list is missing or too short.
    static func read(_ path: String) throws(CommandFailure) -> [ArraySlice<UInt8>] {
        guard let text = content(of: path) else {
            throw .input(
                "the word list \(path) cannot be read; on Debian, install wamerican, or name"
                    + " another list with --dictionary"
            )
        }
        let found = Set(text.split(separator: UInt8(ascii: "\n")).filter(isEasy)).sorted {
            $0.lexicographicallyPrecedes($1)
        }
        guard found.count >= fewest else {
            throw .input(
                "\(path) has \(found.count) words of 3 to 8 small letters; at least \(fewest) are"
                    + " needed"
            )
        }
        return found
    }

    private static func isEasy(_ word: ArraySlice<UInt8>) -> Bool {
        lengths.contains(word.count) && word.allSatisfy { (0x61...0x7A).contains($0) }
    }

    private static func content(of path: String) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while text.count < byteCountLimit {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count > 0 else { return count == 0 ? text : nil }
            text += chunk[..<count]
        }
        return nil
    }
}
