import Secrets

/// The effect of an entry's removal on a file: the entry's position and shape, without the secret.
///
/// Together with the secret, it puts the entry back.
package struct RemovalTrace: Codable, Sendable, Equatable {
    /// A range that was removed.
    package struct Gap: Codable, Sendable, Equatable {
        /// The position of the gap, in the bytes after the removal.
        package let offset: Int
        /// The bytes that replaced the range.
        package let replacement: [UInt8]
        package let parts: [Part]
    }

    /// A piece of a removed range.
    package enum Part: Codable, Sendable, Equatable {
        /// Bytes that are not secret.
        case bytes([UInt8])
        /// The secret, encoded together with a prefix, with its spelling.
        case secret(SecretEncoding, prefix: String, spelling: SecretSpelling?)
        /// The secret between the quotes of an environment file, with the positions of unescaped
        /// bytes. Only records of earlier versions contain this case.
        case spelledSecret(literals: [Int])
        /// The remark, without the lines that the migration appended.
        case remark(SecretEncoding, spelling: SecretSpelling?, appendix: String?)
    }

    /// The gaps in order, without overlap.
    package let gaps: [Gap]

    /// A position greater than in any real file.
    private static let offsetLimit = 1 << 40

    /// Whether the trace can be genuine; a stored one may be damaged.
    package var isPlausible: Bool {
        !gaps.isEmpty && gaps.allSatisfy { (0..<Self.offsetLimit).contains($0.offset) }
    }
}

extension PlaintextFile {
    /// Returns the trace of removing an entry.
    package func trace(of entry: PlaintextEntry) -> RemovalTrace { trace(of: entry, after: []) }

    /// Returns the traces of removing entries one after the other, without parsing the file again.
    ///
    /// This is correct for formats with independent entries.
    package func traces(of entries: [PlaintextEntry]) -> [RemovalTrace] {
        entries.indices.map { trace(of: entries[$0], after: entries[..<$0]) }
    }

    private func trace(
        of entry: PlaintextEntry,
        after gone: ArraySlice<PlaintextEntry>
    ) -> RemovalTrace {
        content.secret.withUnsafeBytes { bytes in
            var gaps: [RemovalTrace.Gap] = []
            var shift = 0
            for other in gone where other.start < entry.start {
                shift += other.removal.reduce(0) { $0 + other.replacement.count - $1.count }
            }
            for range in entry.removal {
                gaps.append(
                    RemovalTrace.Gap(
                        offset: range.lowerBound + shift,
                        replacement: entry.replacement,
                        parts: Self.parts(of: range, entry, bytes)
                    )
                )
                shift += entry.replacement.count - range.count
            }
            return RemovalTrace(gaps: gaps)
        }
    }

    /// Returns the bytes of a range, with gaps for the secret and the remark.
    private static func parts(
        of range: Range<Int>,
        _ entry: PlaintextEntry,
        _ bytes: UnsafeRawBufferPointer
    ) -> [RemovalTrace.Part] {
        var holes = entry.written.map { ($0.range, RemovalTrace.Part($0)) }
        if let remark = entry.writtenRemark {
            let spelling = remark.spelling.isEmpty ? nil : remark.spelling
            let part = RemovalTrace.Part.remark(
                remark.encoding,
                spelling: spelling,
                appendix: entry.appendix
            )
            holes.append((remark.range, part))
        }
        var parts: [RemovalTrace.Part] = []
        var position = range.lowerBound
        for (hole, part) in holes.sorted(by: { $0.0.lowerBound < $1.0.lowerBound })
        where range.contains(hole.lowerBound) && hole.upperBound <= range.upperBound {
            parts.append(.bytes(Array(bytes[position..<hole.lowerBound])))
            parts.append(part)
            position = hole.upperBound
        }
        parts.append(.bytes(Array(bytes[position..<range.upperBound])))
        return parts.filter { $0 != .bytes([]) }
    }

}

extension RemovalTrace {
    /// Returns the removed text with its secret and remark.
    package func entry(_ secret: SharedSecret, remark: SharedSecret?) -> Secret {
        var whole = Secret(copying: EmptyCollection<UInt8>())
        for part in gaps.flatMap(\.parts) {
            whole = Secret(concatenating: whole, part.written(secret, remark))
        }
        return whole
    }

    /// Returns the trace, and variants with the commas that JSON may need at another position.
    package var asMembers: [RemovalTrace] {
        guard gaps.count == 1, let gap = gaps.first, gap.replacement.isEmpty else { return [self] }
        var parts = gap.parts
        if case .bytes(let bytes)? = parts.first {
            parts[0] = .bytes(Array(bytes.drop(while: Self.isBetweenMembers)))
        }
        if case .bytes(let bytes)? = parts.last {
            let kept = bytes.reversed().drop(while: Self.isBetweenMembers)
            parts[parts.count - 1] = .bytes(kept.reversed())
        }
        let comma = Part.bytes([UInt8(ascii: ",")])
        return [gap.parts, parts, parts + [comma], [comma] + parts].map { parts in
            RemovalTrace(gaps: [Gap(offset: gap.offset, replacement: [], parts: parts)])
        }
    }

    private static func isBetweenMembers(_ byte: UInt8) -> Bool { ", \t\r\n".utf8.contains(byte) }

    /// Returns a file with the entry put back.
    ///
    /// - Parameters:
    ///   - content: The file after the removal.
    ///   - secret: The secret to write into the entry.
    ///   - remark: The user's remark.
    ///   - distance: The distance from the old position, in bytes.
    /// - Returns: The file; nil if it does not contain the bytes that the removal left there.
    package func restored(
        in content: SharedSecret,
        _ secret: SharedSecret,
        remark: SharedSecret?,
        movedBy distance: Int = 0
    ) -> SharedSecret? {
        guard isPlausible, abs(distance) < Self.offsetLimit else { return nil }
        return content.secret.withUnsafeBytes { bytes in
            var whole = Secret(copying: EmptyCollection<UInt8>())
            var position = 0
            for gap in gaps {
                let start = gap.offset + distance
                let end = start + gap.replacement.count
                guard start >= position, end <= bytes.count,
                    bytes[start..<end].elementsEqual(gap.replacement)
                else { return nil }
                let kept = UnsafeRawBufferPointer(rebasing: bytes[position..<start])
                whole = Secret(concatenating: whole, Secret(copying: kept))
                for part in gap.parts {
                    whole = Secret(concatenating: whole, part.written(secret, remark))
                }
                position = end
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
            return SharedSecret(Secret(concatenating: whole, Secret(copying: rest)))
        }
    }
}

extension PlaintextEntry {
    /// The position of the first byte to remove.
    fileprivate var start: Int { removal.first?.lowerBound ?? 0 }
}

extension RemovalTrace.Part {
    fileprivate init(_ written: WrittenSecret) {
        let spelling = written.spelling.isEmpty ? nil : written.spelling
        self = .secret(written.encoding, prefix: written.prefix, spelling: spelling)
    }

    fileprivate func written(_ secret: SharedSecret, _ remark: SharedSecret?) -> Secret {
        switch self {
        case .bytes(let bytes): return Secret(copying: bytes)
        case .secret(let encoding, let prefix, let spelling):
            return encoding.encode(secret.secret, prefix: prefix, spelling: spelling ?? [])
        case .spelledSecret(let literals):
            let spelling = literals.flatMap { [$0, 0] }
            return SecretEncoding.environment.encode(secret.secret, spelling: spelling)
        case .remark(let encoding, let spelling, let appendix):
            guard let remark else { return Secret(copying: EmptyCollection<UInt8>()) }
            let own = Self.withoutAppendix(remark.secret, appendix ?? "")
            return encoding.encode(own, spelling: spelling ?? [])
        }
    }

    /// Returns a remark without the lines that the migration appended, if it still ends with them.
    private static func withoutAppendix(
        _ remark: borrowing Secret,
        _ appendix: String
    ) -> Secret {
        remark.withUnsafeBytes { bytes in
            let end = ("\n" + appendix).utf8
            let isThere = !appendix.isEmpty && bytes.suffix(end.count).elementsEqual(end)
            let own = isThere ? bytes.dropLast(end.count) : bytes[...]
            return Secret(copying: UnsafeRawBufferPointer(rebasing: own))
        }
    }
}
