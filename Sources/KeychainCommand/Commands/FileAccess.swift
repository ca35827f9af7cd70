import Glibc
import KeychainMessages
import KeychainModel
import ProtectedFiles

extension CommandContext {
    /// The keys of files, from the keychain of this command.
    func fileKeys() throws(CommandFailure) -> FileKeySource {
        let endpoint = try connected()
        return FileKeySource { request throws(KeychainError) in try endpoint.send(request) }
    }

    /// The same, where a failure is one of a file.
    func source() throws(FileFailure) -> FileKeySource {
        do throws(CommandFailure) { return try fileKeys() } catch {
            throw .keychain(error.refusal)
        }
    }

    func open(_ path: String, isWritable: Bool) throws(CommandFailure) -> FileContainer {
        try filing { () throws(FileFailure) in
            try FileContainer.open(path, isWritable: isWritable, source())
        }
    }

    /// Carries out what a protected file may refuse.
    func filing<Value: ~Copyable>(
        _ body: () throws(FileFailure) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(FileFailure) { return try body() } catch {
            switch error {
            case .keychain(let refusal): throw .keychain(advised(refusal))
            case .damaged: throw .keychain(KeychainError(.decode, error.description))
            case .system(_, _, let code):
                let status: SecurityStatus = [ENOSPC, EDQUOT].contains(code) ? .diskFull : .io
                throw .keychain(KeychainError(status, error.description))
            case .notProtected(let path):
                throw .input("\(error.description); run keychainctl file protect \(path)")
            default: throw .input(error.description)
            }
        }
    }

    /// Writes content to standard output; on a terminal without what would act on it.
    func show(_ bytes: borrowing [UInt8], _ count: Int) throws(CommandFailure) {
        guard terminal.outputIsTerminal else {
            return try CommandFailure.wrapping(
                try bytes.lend(count) { bytes throws(KeychainError) in
                    try terminal.write(bytes, to: .output)
                }
            )
        }
        var page = Page()
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let isLast = number == lines.count - 1
            page.append(raw: VisibleText.escaping(String(line)) + (isLast ? "" : "\n"))
        }
        try print(page)
    }
}

extension Terminal {
    func fill(_ buffer: inout [UInt8]) throws(KeychainError) -> Int {
        try buffer.lendMutably { bytes throws(KeychainError) in try read(into: bytes) }
    }
}

/// Paths as the system sees them.
enum RealPath {
    /// The path without links; the same one if nothing is there.
    static func of(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    static func isDirectory(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }
}

extension [UInt8] {
    func lend<Value, Failure: Error>(
        _ count: Int,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeBufferPointer { buffer throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
        }
    }

    mutating func lendMutably<Value, Failure: Error>(
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Overwrites everything with zeros.
    mutating func wipe() {
        lendMutably { bytes in
            if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        }
    }
}
