import Secrets

/// What the removal of an entry did to a file: its place and shape, without the secret.
///
/// With the secret, it puts the entry back where it was.
package struct RemovalTrace: Codable, Sendable, Equatable {
    /// A stretch that was taken out.
    package struct Gap: Codable, Sendable, Equatable {
        /// Where it was, in the bytes that the removal left.
        package let offset: Int
        /// What stands there instead.
        package let replacement: [UInt8]
        package let parts: [Part]
    }

    /// A piece of a stretch.
    package enum Part: Codable, Sendable, Equatable {
        /// Bytes that are no secret.
        case bytes([UInt8])
        /// The secret, encoded together with a prefix; in a spelling of its own, if it has one.
        case secret(SecretEncoding, prefix: String, spelling: SecretSpelling?)
        /// The secret between the quotes of an environment file, and where it has no escapes, in
        /// records of earlier versions.
        case spelledSecret(literals: [Int])
        /// The remark that belongs to it, without the lines that the migration put behind it.
        case remark(SecretEncoding, spelling: SecretSpelling?, appendix: String?)
    }

    /// First to last, without overlap.
    package let gaps: [Gap]

    /// No file is as long as this.
    private static let offsetLimit = 1 << 40

    /// Whether it may be one: what was stored may have been damaged.
    package var isPlausible: Bool {
        !gaps.isEmpty && gaps.allSatisfy { (0..<Self.offsetLimit).contains($0.offset) }
    }
}

extension PlaintextFile {
    /// What `removing` an entry does to the file.
    package func trace(of entry: PlaintextEntry) -> RemovalTrace { trace(of: entry, after: []) }

    /// What the removal of entries does to the file, one after the other, without reading it anew.
    ///
    /// This holds for formats with independent entries.
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

    /// The bytes of a stretch, with holes where secret and remark are.
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
    /// What was taken out, without what stood around it.
    package func entry(_ secret: SharedSecret, remark: SharedSecret?) -> Secret {
        var whole = Secret(copying: EmptyCollection<UInt8>())
        for part in gaps.flatMap(\.parts) {
            whole = Secret(concatenating: whole, part.written(secret, remark))
        }
        return whole
    }

    /// The same entry with each comma in front of it and behind it that JSON may need at another
    /// place; itself first.
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

    /// The bytes of a file with the entry put back.
    ///
    /// - Parameters:
    ///   - content: The file as the removal left it.
    ///   - secret: What to write into the entry.
    ///   - remark: A person's remark on it.
    ///   - distance: How far from its old place, in bytes.
    /// - Returns: nil where the file does not have what the removal left there.
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
    /// Where the first byte is that its removal takes.
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

    /// A remark without the lines that the migration put behind it, if they are still there.
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
