import DataProtection
import Glibc
import KeychainEngine
import KeychainMessages
import KeychainModel

// Law: a fault of the records never makes a call fail. If a record cannot be read or written, the
// program has the group of its name, and the diagnostic channel reports it.

/// The file `programs` of a keychain's directory: the default group of each program.
///
/// - Source: requirement USE-04; Documentation/Spec/store.md §7.
struct ProgramRegistry {
    private let home: KeychainHome

    init(_ home: KeychainHome) { self.home = home }

    /// Returns the program's group since its first use, and records it at the first use.
    ///
    /// - Returns: nil for a program that declares its groups, or that has no file of its own.
    func group(
        of identity: CallerIdentity,
        _ environment: ProcessEnvironment,
        in engine: Engine
    ) -> String? {
        switch identity.origin {
        // A library's declaration says nothing about the program.
        case .named, .library: return nil
        case .beside, .bundle, .name: break
        }
        guard let program = ProgramFile(executable: environment.executable) else { return nil }
        let declared = identity.declaredGroup(on: engine.profiles.system)
        // An entitlements file without a group leaves the program without one.
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

    /// Decides again under the directory's lock, because another process may have written
    /// meanwhile.
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
    /// Creates the identity of an executable; nil unless the path is a regular file.
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
