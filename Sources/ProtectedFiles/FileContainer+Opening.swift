import Cryptography
import Glibc
import KeychainMessages
import KeychainModel
import Secrets

extension FileContainer {
    /// Opens a file that exists.
    ///
    /// With `isWritable` the file is open exclusively; otherwise it can have many readers.
    ///
    /// - Throws: `notProtected`, `notRegular`, `busy`, `keychain`, `damaged`, `system`. A file with
    ///   the magic of a slot is never `notProtected`.
    package static func open(
        _ path: String,
        isWritable: Bool,
        _ source: FileKeySource
    ) throws(FileFailure) -> FileContainer {
        let file = try RawFile(opening: path, isWritable: isWritable)
        return try open(file, isWritable, source) { () throws(FileFailure) in
            try file.isNamed(path)
        }
    }

    /// Opens the file at a place; a link is an error.
    ///
    /// - Throws: The same errors.
    static func open(
        _ place: FilePlace,
        isWritable: Bool,
        _ source: FileKeySource
    ) throws(FileFailure) -> FileContainer {
        let file = try place.open(isWritable: isWritable)
        return try open(file, isWritable, source) { () throws(FileFailure) in
            try place.names(file)
        }
    }

    private static func open(
        _ file: RawFile,
        _ isWritable: Bool,
        _ source: FileKeySource,
        _ isNamed: () throws(FileFailure) -> Bool
    ) throws(FileFailure) -> FileContainer {
        try file.lock(exclusively: isWritable)
        // After waiting for a program that replaced the file, this is the old file.
        guard try isNamed(), try file.isExpected() else { throw .busy(file.path) }
        let images = try images(of: file)
        var refusal = FileFailure.damaged(file.path, .header)
        for (slot, image) in try candidates(images, file.path) {
            let key: SharedSecret
            do throws(KeychainError) { key = try source.open(slot.key) } catch {
                // A wrapping that does not open may have been changed, and the other slot may be
                // whole. A locked keychain ends the search: an older slot of a weaker class must
                // not open the file instead.
                guard error.status == .decode else { throw .keychain(error) }
                refusal = .keychain(error)
                continue
            }
            guard let keys = try? FileKeys(key.secret, of: slot.key.file),
                let state = keys.state(image)
            else { continue }
            return try FileContainer(file, source, slot, state, keys, isWritable: isWritable)
                .repaired()
        }
        throw refusal
    }

    /// Opens the file that another one is to replace, and keeps all other programs away from it.
    ///
    /// Its class and group count only if it opens: an attacker who wants another class could have
    /// written the header of a file that does not open.
    ///
    /// - Returns: nil if there is no file, or one that is not protected.
    /// - Throws: The same errors as ``open(_:isWritable:_:)``.
    static func replaced(
        _ place: FilePlace,
        _ source: FileKeySource
    ) throws(FileFailure) -> FileContainer? {
        do throws(FileFailure) {
            return try open(place, isWritable: true, source)
        } catch {
            switch error {
            case .notProtected, .system(_, _, ENOENT): return nil
            default: throw error
            }
        }
    }

    private func repaired() throws(FileFailure) -> FileContainer {
        try followRedoRecord()
        if isWritable { try repair() }
        return self
    }

    private static func images(of file: RawFile) throws(FileFailure) -> [[UInt8]] {
        let both = try file.bytes(FileLayout.firstChunk, at: 0)
        let first = Array(both.prefix(FileLayout.slotByteCount))
        return [first, Array(both.dropFirst(FileLayout.slotByteCount))]
    }

    /// Returns the slots that look valid, the newer one first.
    private static func candidates(
        _ images: [[UInt8]],
        _ path: String
    ) throws(FileFailure) -> [(HeaderSlot, [UInt8])] {
        var (found, faults) = ([(HeaderSlot, [UInt8])](), [HeaderSlot.Fault]())
        for image in images {
            do throws(HeaderSlot.Fault) { found.append((try HeaderSlot(image), image)) } catch {
                faults.append(error)
            }
        }
        guard found.isEmpty else { return found.sorted { $0.0.sequence > $1.0.sequence } }
        // A truncated slot is damage, not a plain file.
        let hasMagic = images.contains { $0.starts(with: HeaderSlot.magic) }
        if faults.allSatisfy({ $0 == .noMagic }), !hasMagic { throw .notProtected(path) }
        if faults.contains(.version) { throw .unknownVersion(path) }
        throw .damaged(path, .header)
    }

    /// Returns the plain part of the newer slot, without a key.
    ///
    /// - Throws: `notProtected`, `notRegular`, `damaged`, `unknownVersion`, `system`.
    package static func examine(_ path: String) throws(FileFailure) -> WrappedFileKey {
        try examine(try RawFile(opening: path, isWritable: false))
    }

    static func examine(_ file: RawFile) throws(FileFailure) -> WrappedFileKey {
        try candidates(try images(of: file), file.path)[0].0.key
    }

    /// Whether the file has a slot of a protected file.
    package static func isProtected(_ path: String) -> Bool {
        guard let file = try? RawFile(opening: path, isWritable: false) else { return false }
        return (try? isProtected(file)) ?? false
    }

    /// - Throws: `system` if it cannot be read.
    static func isProtected(_ file: RawFile) throws(FileFailure) -> Bool {
        do throws(FileFailure) {
            _ = try examine(file)
            return true
        } catch {
            switch error {
            case .damaged, .unknownVersion: return true
            case .notProtected: return false
            default: throw error
            }
        }
    }

    /// Takes over a change that was durable but not yet complete.
    private func followRedoRecord() throws(FileFailure) {
        guard let record = try RedoRecord.find(in: file, try presentKeys(), after: slot) else {
            return
        }
        slot = record.slot
        committed = record.state
        current = record.state
        for entry in record.entries { redirected[entry.chunk] = entry }
        guard isWritable else { return }
        for entry in record.entries {
            let sealed = try file.bytes(entry.byteCount, at: entry.offset)
            try file.write(sealed, at: FileLayout.offset(of: entry.chunk))
        }
        try write(record.image)
        redirected = [:]
    }

    /// Removes the remains of a crash, and makes both slots the same again.
    private func repair() throws(FileFailure) {
        let end = FileLayout.end(committed.length)
        if try file.byteCount() > end { try file.truncate(to: end) }
        let now = try Self.images(of: file)
        guard now[0] != now[1] else { return }
        let whole = now.first { image in
            (try? HeaderSlot(image)) == slot && keys?.state(image) == committed
        }
        if let whole { try write(whole) }
    }

    /// Creates a file at a path that is free.
    ///
    /// - Throws: `keychain`, `system`; then there is no file.
    package static func create(
        _ path: String,
        _ fileClass: FileClass,
        group: String? = nil,
        mode: UInt32 = 0o600,
        _ source: FileKeySource
    ) throws(FileFailure) -> FileContainer {
        let directory = try OpenDirectory(ResolvedPath.directory(of: path))
        let name = ResolvedPath.name(of: path)
        return try create(in: directory, name, fileClass, group: group, mode: mode, source)
    }

    /// Creates a file under a name that is free.
    ///
    /// - Throws: The same errors.
    static func create(
        in directory: OpenDirectory,
        _ name: String,
        _ fileClass: FileClass,
        group: String? = nil,
        mode: UInt32 = 0o600,
        _ source: FileKeySource
    ) throws(FileFailure) -> FileContainer {
        let random = SystemRandomSource()
        let bytes = try FileFailure.wrapping { () throws(CryptographyError) in
            try random.bytes(FileIdentifier.byteCount)
        }
        guard let identifier = FileIdentifier(bytes) else { throw .closed }
        let (wrapped, key) = try FileFailure.asking { () throws(KeychainError) in
            try source.make(fileClass, file: identifier, group: group)
        }
        let slot = HeaderSlot(sequence: 1, key: wrapped)
        guard slot.isWritable else { throw .keychain(.unexpectedReply) }
        let keys = try FileFailure.wrapping { () throws(CryptographyError) in
            try FileKeys(key.secret, of: identifier)
        }
        let file = try directory.create(name, mode: mode)
        do throws(FileFailure) {
            try file.lock(exclusively: true)
            if Leftovers.isOne(name) { file.begin() }
            let made = FileContainer(file, source, slot, FileState(), keys, isWritable: true)
            let image = try FileFailure.wrapping { () throws(CryptographyError) in
                try keys.image(slot, made.committed)
            }
            try file.write(image + image, at: 0)
            try file.synchronize()
            return made
        } catch {
            directory.discard(file, name)
            throw error
        }
    }
}
