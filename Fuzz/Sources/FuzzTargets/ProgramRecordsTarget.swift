@testable import KeychainEngine

extension FuzzTarget {
    /// The file of programs: what is read is written as it was, byte for byte.
    ///
    /// A program that uses the keychain is found afterwards, and the file never outgrows its limit.
    static let programRecords = FuzzTarget(name: "program-records") { bytes throws(BrokenLaw) in
        guard var records = ProgramRecords(bytes) else { return .refused }
        try require(records.bytes == bytes, "records are written as they were read")
        try require(records.records.count <= ProgramRecords.limit, "records are limited")
        for record in records.records {
            let found = records.record(path: record.path, file: record.file)
            try require(found?.record.path == record.path, "a path is found before a file")
            try require(found?.isRenamed == false, "a known path is no renamed program")
        }
        let program = ProgramRecords.Record(
            path: [UInt8](bytes.suffix(digestByteCount)),
            file: [UInt8](repeating: 1, count: digestByteCount),
            group: [UInt8](repeating: 2, count: digestByteCount),
            name: [3]
        )
        guard program.path.count == digestByteCount else { return .accepted }
        _ = records.remember(program)
        let known = records.record(path: program.path, file: program.file)?.record
        try require(known?.group == program.group, "a program is remembered")
        try require(records.records.count <= ProgramRecords.limit, "a new program forgets an old")
        try require(ProgramRecords(records.bytes) == records, "what is written can be read")
        return .accepted
    }

    private static let digestByteCount = 16
}
