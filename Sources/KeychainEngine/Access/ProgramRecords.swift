import Cryptography
import KeychainModel

// Definitions  "record": two digests that identify a program, of its path and of its file, and
//              the sealed name of its default group.
// Invariants   (1) Without the lookup key, a record reveals neither path nor group.
//              (2) Malformed bytes are refused as a whole, and nothing replaces them.
//              (3) The path decides before the file: a new version at the same path is the
//                  same program.
//
// Source: requirement USE-04; Documentation/Spec/store.md §7.

/// The default group of each program of a keychain, recorded at its first use.
struct ProgramRecords: Sendable, Equatable {
    struct Record: Sendable, Equatable {
        /// Digests of 16 bytes each.
        var path: [UInt8]
        var file: [UInt8]
        var group: [UInt8]
        /// The sealed name of the group.
        var name: [UInt8]
    }

    /// The most programs that it remembers; beyond that it forgets the oldest records.
    static let limit = 400

    private static let header = Array("KCPG".utf8) + [1]
    /// The most bytes of a sealed name.
    private static let nameByteCountLimit = 1024

    private(set) var records: [Record] = []

    init() {}

    /// Reads the bytes of the file; returns nil if they are malformed.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Self.header) else { return nil }
        var rest = bytes.dropFirst(Self.header.count)
        while !rest.isEmpty {
            guard let record = Self.takeRecord(&rest), records.count < Self.limit else {
                return nil
            }
            records.append(record)
        }
    }

    private static func takeRecord(_ rest: inout ArraySlice<UInt8>) -> Record? {
        let count = LookupDigests.byteCount
        guard rest.count >= 3 * count + 2 else { return nil }
        var digests: [[UInt8]] = []
        for _ in 0..<3 {
            digests.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
        rest = rest.dropFirst(2)
        guard length <= nameByteCountLimit, rest.count >= length else { return nil }
        defer { rest = rest.dropFirst(length) }
        let name = Array(rest.prefix(length))
        return Record(path: digests[0], file: digests[1], group: digests[2], name: name)
    }

    /// The bytes of the file.
    var bytes: [UInt8] {
        records.reduce(into: Self.header) { bytes, record in
            bytes += record.path + record.file + record.group
            bytes += [UInt8(truncatingIfNeeded: record.name.count >> 8)]
            bytes += [UInt8(truncatingIfNeeded: record.name.count)] + record.name
        }
    }

    /// Returns the last record of the path, or else of the file.
    func record(path: [UInt8], file: [UInt8]) -> (record: Record, isRenamed: Bool)? {
        if let known = records.last(where: { $0.path == path }) { return (known, false) }
        return records.last { $0.file == file }.map { ($0, true) }
    }

    /// Remembers a program, and forgets the earlier record of its path.
    ///
    /// - Returns: Whether anything changed. A record whose name is too long is not stored.
    mutating func remember(_ record: Record) -> Bool {
        guard record.name.count <= Self.nameByteCountLimit else { return false }
        let same = records.last { $0.path == record.path }
        if let same, same.file == record.file, same.group == record.group { return false }
        records.removeAll { $0.path == record.path }
        records.append(record)
        records.removeFirst(max(0, records.count - Self.limit))
        return true
    }
}
