import Cryptography
import KeychainMessages
import KeychainModel

extension Engine {
    /// Whether these are the bytes of a file of records.
    package static func areProgramRecords(_ bytes: [UInt8]) -> Bool { ProgramRecords(bytes) != nil }

    /// Returns the default group of a program, and records it at the program's first use.
    ///
    /// - Throws: `errSecDecode` for a file that does not contain records.
    package func group(_ query: ProgramGroupQuery) throws(KeychainError) -> RecordedGroup {
        try enter { state throws(KeychainError) in
            var records = ProgramRecords()
            if let bytes = query.records {
                guard let read = ProgramRecords(bytes) else {
                    throw KeychainError(.decode, "the file programs is damaged")
                }
                records = read
            }
            return try state.vault.group(query, in: &records)
        }
    }
}

extension ItemVault {
    fileprivate func group(
        _ query: ProgramGroupQuery,
        in records: inout ProgramRecords
    ) throws(KeychainError) -> RecordedGroup {
        let digests = digests
        let program = query.program
        let path = try digests.digest(ofProgram: Array(program.path.utf8), domain: "path")
        let file = try digests.digest(ofProgram: program.identity, domain: "file")
        let known = records.record(path: path, file: file).flatMap { found in
            digests.openName(found.record.name, digest: found.record.group).map { name in
                ProgramGroup(name, found.isRenamed ? .renamed : .knownPath)
            }
        }
        let group =
            query.declared.map { ProgramGroup($0, .chosenNow) } ?? known
            ?? ProgramGroup(query.otherwise, .chosenNow)
        let isNew = records.remember(
            ProgramRecords.Record(
                path: path,
                file: file,
                group: try digests.digest(ofAccessGroup: group.name),
                name: try digests.seal(name: group.name, random: environment.random)
            )
        )
        return RecordedGroup(group, records: isNew ? records.bytes : nil)
    }
}
