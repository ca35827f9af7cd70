import Glibc
import KeychainModel

/// Between plain files and protected ones.
package enum PlainFile {
    /// Is told how many bytes are done, and ends the work with an error.
    package typealias Step = (Int) throws(FileFailure) -> Void

    /// Replaces a plain file by a protected one with its content, mode, owner, extended attributes
    /// and dates.
    ///
    /// A crash leaves the plain file or the protected one. Blocks of the plain one may remain on
    /// the disk, and so do its other names and copies.
    ///
    /// - Returns: The class that the file has now, and what it could not keep.
    /// - Throws: `system` if the file has other names (hard links), which would stay plain.
    @discardableResult
    package static func protect(
        _ path: String,
        _ fileClass: FileClass?,
        group: String? = nil,
        _ source: FileKeySource,
        step: Step = { _ throws(FileFailure) in }
    ) throws(FileFailure) -> (fileClass: FileClass, losses: [String]) {
        guard let resolved = realpath(path, nil) else { throw .last("opened", path) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        let plain = try RawFile(opening: target, isWritable: false)
        try plain.lock(exclusively: true)
        let before = try plain.facts()
        guard before.st_nlink == 1 else {
            throw .system(target, verb: "protected while it has other names", code: EMLINK)
        }
        let file = try NewFile(target, fileClass, group: group, replacing: target, source)
        let buffer = ChunkBuffer()
        var offset = 0
        while true {
            let count = try plain.read(buffer.bytes, at: offset)
            guard count > 0 else { break }
            try file.container.write(UnsafeRawBufferPointer(buffer.prefix(count)), at: offset)
            offset += count
            try step(offset)
        }
        let after = try plain.facts()
        guard before.st_mtim.tv_sec == after.st_mtim.tv_sec, offset == after.st_size,
            before.st_mtim.tv_nsec == after.st_mtim.tv_nsec
        else { throw .busy(target) }
        file.dates = FileDates(before)
        try file.publish(replacing: true)
        try file.container.close()
        return (file.container.fileClass, file.losses)
    }

    /// Replaces a protected file by a plain one with its content, mode, owner, extended attributes
    /// and dates.
    ///
    /// A crash leaves one of the two. The plain content is on the disk from then on, also if the
    /// file is protected again.
    ///
    /// - Returns: What the file could not keep.
    /// - Throws: What opening and reading throw; `system` if the file has other names.
    package static func unprotect(
        _ path: String,
        _ source: FileKeySource,
        step: Step = { _ throws(FileFailure) in }
    ) throws(FileFailure) -> [String] {
        guard let resolved = realpath(path, nil) else { throw .last("opened", path) }
        defer { free(resolved) }
        let target = String(cString: resolved)
        let file = try FileContainer.open(target, isWritable: true, source)
        let facts = try file.file.facts()
        guard facts.st_nlink == 1 else {
            throw .system(target, verb: "made plain while it has other names", code: EMLINK)
        }
        Leftovers.sweepOnce(RawFile.directory(of: target))
        let temporary = Leftovers.name(for: target, .unprotecting)
        let plain = try RawFile(creating: temporary, mode: 0o600)
        var losses: [String]
        do throws(FileFailure) {
            try plain.lock(exclusively: true)
            try copy(file, to: plain, step)
            losses = try plain.adopt(facts, of: target)
            try plain.set(FileDates(facts))
            try plain.synchronize()
            guard rename(temporary, target) == 0 else { throw .last("replaced", target) }
        } catch {
            unlink(temporary)
            throw error
        }
        if file.isExcludedFromBackup { losses.append("that backups leave it out") }
        plain.finish()
        try RawFile.synchronize(directoryOf: target)
        try file.close()
        return losses
    }

    /// Copies the content; what is zero takes no space.
    private static func copy(
        _ file: FileContainer,
        to plain: RawFile,
        _ step: Step
    ) throws(FileFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer {
            if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
            buffer.deallocate()
        }
        plain.begin()
        var offset = 0
        while offset < file.byteCount {
            let count = try file.read(into: buffer, at: offset)
            guard count > 0 else { break }
            let read = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            if !isZero(read) { try plain.write(read, at: offset) }
            offset += count
            try step(offset)
        }
        try plain.truncate(to: file.byteCount)
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, bytes[0] == 0 else { return bytes.isEmpty }
        return memcmp(start, start + 1, bytes.count - 1) == 0
    }
}
