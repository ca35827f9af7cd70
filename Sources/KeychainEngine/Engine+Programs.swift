import Cryptography
import KeychainModel

extension Engine {
    /// Whether these are the bytes of a file of records.
    package static func areProgramRecords(_ bytes: [UInt8]) -> Bool { ProgramRecords(bytes) != nil }

    /// The default group of a program that has used the keychain before, or does so now.
    ///
    /// - Parameters:
    ///   - program: The program's executable.
    ///   - declared: The group that it declares; it wins over what is recorded.
    ///   - name: The group of a program that is not known and declares none.
    ///   - bytes: The file of records; nil where there is none yet.
    /// - Returns: The group, and what the file is to hold if that changed.
    /// - Throws: `errSecDecode` for a file that holds no records.
    package func group(
        of program: ProgramFile,
        declared: String?,
        otherwise name: String,
        in bytes: [UInt8]?
    ) throws(KeychainError) -> (group: ProgramGroup, records: [UInt8]?) {
        try enter { rooms throws(KeychainError) in
            var records = ProgramRecords()
            if let bytes {
                guard let read = ProgramRecords(bytes) else {
                    throw KeychainError(.decode, "the file programs is damaged")
                }
                records = read
            }
            return try rooms.vault.group(of: program, declared, name, in: &records)
        }
    }
}

extension ItemVault {
    fileprivate func group(
        of program: ProgramFile,
        _ declared: String?,
        _ name: String,
        in records: inout ProgramRecords
    ) throws(KeychainError) -> (group: ProgramGroup, records: [UInt8]?) {
        let digests = digests
        return try visit { () throws(CryptographyError) in
            let path = try digests.digest(ofProgram: Array(program.path.utf8), domain: "path")
            let file = try digests.digest(ofProgram: program.identity, domain: "file")
            let known = records.record(path: path, file: file).flatMap { found in
                digests.openName(found.record.name, digest: found.record.group).map { name in
                    ProgramGroup(name, found.isRenamed ? .renamed : .knownPath)
                }
            }
            let group =
                declared.map { ProgramGroup($0, .chosenNow) } ?? known
                ?? ProgramGroup(name, .chosenNow)
            let isNew = records.remember(
                ProgramRecords.Record(
                    path: path,
                    file: file,
                    group: try digests.digest(ofAccessGroup: group.name),
                    name: try digests.seal(name: group.name, random: environment.random)
                )
            )
            return (group, isNew ? records.bytes : nil)
        }
    }
}
