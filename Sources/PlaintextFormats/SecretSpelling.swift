import Secrets

/// The parts of an encoded secret that are not in the encoding's standard form.
///
/// The list contains pairs: a position in the secret, and a code for the way in which it is
/// written.
package typealias SecretSpelling = [Int]

/// Codes for ways to write one unit: a byte, or a character in JSON.
private enum SpellingCode {
    /// Unescaped, although the standard form has an escape.
    static let literal = 0
    /// With a backslash before it.
    static let backslash = 1
    /// As a backslash and a letter, which JSON has for two control characters.
    static let letter = 2
    /// In hexadecimal; one bit for each digit says whether it is a lower-case letter.
    static let hexadecimal = 16

    static let all = [literal, backslash, letter]
    static let highest = hexadecimal + 0xFF
}

extension WrittenSecret {
    /// Returns the secret's position with the spelling in the file; nil if no spelling gives these
    /// bytes.
    func spelled(_ secret: SharedSecret, in bytes: UnsafeRawBufferPointer) -> WrittenSecret? {
        let source = UnsafeRawBufferPointer(rebasing: bytes[range])
        guard encoding != .base64, prefix.isEmpty else {
            let standard = encoding.encode(secret.secret, prefix: prefix)
            return standard.withUnsafeBytes { $0.elementsEqual(source) } ? self : nil
        }
        let spelling = secret.secret.withUnsafeBytes { encoding.spelling(of: $0, in: source) }
        guard let spelling else { return nil }
        var written = self
        written.spelling = spelling
        return written
    }
}

extension SecretEncoding {
    /// Encodes a secret with a spelling.
    ///
    /// Uses the standard form if the spelling would change the secret.
    ///
    /// The secret may have changed since its spelling was recorded.
    func encode(
        _ secret: borrowing Secret,
        prefix: String = "",
        spelling: SecretSpelling
    ) -> Secret {
        guard !spelling.isEmpty, prefix.isEmpty else { return encode(secret, prefix: prefix) }
        var codes: [Int: Int] = [:]
        for index in stride(from: 0, to: spelling.count - 1, by: 2) {
            codes[spelling[index]] = spelling[index + 1]
        }
        let draft = secret.withUnsafeBytes { bytes in
            Secret(emitting: { emit in write(bytes, codes, emit) })
        }
        return means(draft, secret) ? draft : encode(secret)
    }

    private func means(_ draft: borrowing Secret, _ secret: borrowing Secret) -> Bool {
        guard self != .environment else { return EnvironmentFile.means(draft, secret) }
        let meaning = draft.withUnsafeBytes { decoded($0[...]) }
        return meaning.map { $0.secret.constantTimeEquals(secret) } ?? false
    }

    private func write(
        _ bytes: UnsafeRawBufferPointer,
        _ codes: [Int: Int],
        _ emit: (UInt8) -> Void
    ) {
        var position = 0
        while position < bytes.count {
            let unit = unit(of: bytes, at: position)
            let isWritten = codes[position].map { write(unit, $0, emit) } ?? false
            if !isWritten { write(unit, emit) }
            position += unit.count
        }
    }

    /// Returns the differences from the standard form; nil if the bytes do not encode the secret.
    fileprivate func spelling(
        of secret: UnsafeRawBufferPointer,
        in source: UnsafeRawBufferPointer
    ) -> SecretSpelling? {
        var spelling: SecretSpelling = []
        var place = 0
        var position = 0
        while position < secret.count {
            let unit = unit(of: secret, at: position)
            let rest = UnsafeRawBufferPointer(rebasing: source[place...])
            let standard = Self.count(at: rest) { emit in
                write(unit, emit)
                return true
            }
            if let standard {
                place += standard
            } else if let (code, count) = way(of: unit, at: rest) {
                spelling += [position, code]
                place += count
            } else {
                return nil
            }
            position += unit.count
        }
        return place == source.count ? spelling : nil
    }

    /// Returns a byte, or a whole character if the encoding works on characters.
    private func unit(
        of secret: UnsafeRawBufferPointer,
        at position: Int
    ) -> UnsafeRawBufferPointer {
        var end = position + 1
        if self == .json {
            while end < secret.count, secret[end] & 0xC0 == 0x80 { end += 1 }
        }
        return UnsafeRawBufferPointer(rebasing: secret[position..<end])
    }

    /// Returns the number of bytes that a function emits, if the text begins with them; otherwise
    /// nil.
    private static func count(
        at rest: UnsafeRawBufferPointer,
        _ write: ((UInt8) -> Void) -> Bool
    ) -> Int? {
        var count = 0
        var isSame = true
        let isWritten = write { byte in
            isSame = isSame && count < rest.count && rest[count] == byte
            count += 1
        }
        return isWritten && isSame ? count : nil
    }

    /// Returns the way in which a unit is written, and its number of bytes.
    private func way(
        of unit: UnsafeRawBufferPointer,
        at rest: UnsafeRawBufferPointer
    ) -> (code: Int, count: Int)? {
        for code in SpellingCode.all + [hexadecimalCode(of: unit, at: rest)] {
            if let count = Self.count(at: rest, { write(unit, code, $0) }) { return (code, count) }
        }
        return nil
    }

    /// Returns the code for hexadecimal digits, with their lower-case letters.
    private func hexadecimalCode(
        of unit: UnsafeRawBufferPointer,
        at rest: UnsafeRawBufferPointer
    ) -> Int {
        var mask = 0
        var bit = 1
        var index = 0
        _ = write(unit, SpellingCode.hexadecimal) { byte in
            defer { index += 1 }
            guard Self.digits.contains(byte) else { return }
            let isSmall = index < rest.count && rest[index] > UInt8(ascii: "Z")
            if isSmall { mask |= bit }
            bit <<= 1
        }
        return SpellingCode.hexadecimal + mask & 0xFF
    }

    /// Emits a unit in the way of a code.
    ///
    /// - Returns: Whether the encoding can write the unit in that way.
    private func write(
        _ unit: UnsafeRawBufferPointer,
        _ code: Int,
        _ emit: (UInt8) -> Void
    ) -> Bool {
        switch (self, code) {
        case (.plain, _), (.base64, _), (.csv, _), (.percent, SpellingCode.backslash),
            (.percent, SpellingCode.letter):
            return false
        case (_, SpellingCode.literal):
            unit.forEach(emit)
        case (_, SpellingCode.backslash):
            emit(Self.backslash)
            unit.forEach(emit)
        case (.json, SpellingCode.letter):
            let letters: [UInt8: UInt8] = [0x08: UInt8(ascii: "b"), 0x0C: UInt8(ascii: "f")]
            guard let letter = unit.first.flatMap({ letters[$0] }) else { return false }
            emit(Self.backslash)
            emit(letter)
        case (.percent, SpellingCode.hexadecimal...SpellingCode.highest),
            (.json, SpellingCode.hexadecimal...SpellingCode.highest):
            return writeHexadecimal(unit, code, emit)
        default: return false
        }
        return true
    }

    private func writeHexadecimal(
        _ unit: UnsafeRawBufferPointer,
        _ code: Int,
        _ emit: (UInt8) -> Void
    ) -> Bool {
        var mask = code - SpellingCode.hexadecimal
        func write(_ number: UInt16, _ mark: String, _ shifts: [UInt16]) {
            mark.utf8.forEach(emit)
            for shift in shifts {
                let digit = Self.digits[Int(number >> shift & 0xF)]
                let isSmall = mask & 1 == 1 && digit > UInt8(ascii: "9")
                emit(isSmall ? digit | 0x20 : digit)
                mask >>= 1
            }
        }
        guard self == .json else {
            for byte in unit { write(UInt16(byte), "%", [4, 0]) }
            return true
        }
        var decoder = UTF8()
        var bytes = unit.makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&bytes),
            let numbers = UTF16.encode(scalar)
        else { return false }
        for number in numbers { write(number, "\\u", [12, 8, 4, 0]) }
        return true
    }
}
