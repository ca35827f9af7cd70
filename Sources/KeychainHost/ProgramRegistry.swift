import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel

// Law: what is recorded helps, and never hinders: a record that cannot be read or written leaves
// the program with the group of its name, and the diagnostic channel says so.

/// The file `programs` of a keychain's directory: which default group each program has.
///
/// - Source: requirement USE-04; Documentation/Spec/store.md §7.
struct ProgramRegistry {
    private let home: KeychainHome

    init(_ home: KeychainHome) { self.home = home }

    /// The group that the program has had since its first use; records it the first time.
    ///
    /// - Returns: nil for a program that declares its groups, or has no file of its own.
    func group(
        of identity: CallerIdentity,
        _ environment: ProcessEnvironment,
        in engine: Engine
    ) -> String? {
        switch identity.origin {
        // What a library declares says nothing of the program by itself.
        case .named, .library: return nil
        case .beside, .bundle, .name: break
        }
        guard let program = ProgramFile(executable: environment.executable) else { return nil }
        let declared = identity.declaredGroup(on: engine.profiles.system)
        // An entitlements file that names no group leaves the program without one.
        guard identity.origin == .name || declared != nil else { return nil }
        do throws(KeychainError) {
            let storage = try fromStorage(try DirectoryStorage(path: home.directory))
            let find = { (bytes: [UInt8]?) throws(KeychainError) in
                try engine.group(
                    ProgramGroupQuery(
                        program,
                        declared: declared,
                        otherwise: identity.fallbackGroup,
                        records: bytes
                    )
                )
            }
            let found = try find(try read(storage))
            if found.records != nil { try record(storage, find) }
            return declared == nil ? found.group.name : nil
        } catch {
            DiagnosticOutput.note("the program's access group is not recorded: \(error)")
            return nil
        }
    }

    private func read(_ storage: DirectoryStorage) throws(KeychainError) -> [UInt8]? {
        try fromStorage(try storage.read(.programs))
    }

    /// Once more under the directory's lock, as another process may have written meanwhile.
    private func record(
        _ storage: DirectoryStorage,
        _ find: ([UInt8]?) throws(KeychainError) -> RecordedGroup
    ) throws(KeychainError) {
        try storage.whileLocked { () throws(KeychainError) in
            guard let records = try find(try read(storage)).records else { return }
            try fromStorage(try storage.replace(.programs, with: records))
        }
    }
}

extension ProgramFile {
    /// The executable of a path; nil where there is no plain file.
    package init?(executable path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let numbers = [
            UInt64(status.st_dev), UInt64(status.st_ino), UInt64(bitPattern: Int64(status.st_size)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_sec)),
            UInt64(bitPattern: Int64(status.st_mtim.tv_nsec)),
        ]
        let identity = numbers.flatMap { number in
            withUnsafeBytes(of: number.bigEndian) { Array($0) }
        }
        self.init(path: path, identity: identity)
    }
}
