import Glibc
import KeychainModel

/// Conversions between plain files and protected ones.
package enum PlainFile {
    /// A function that receives the number of bytes done; its error ends the work.
    package typealias Step = (Int) throws(FileFailure) -> Void

    /// Replaces a plain file by a protected one.
    ///
    /// The new file has the same content, mode, owner, extended attributes and dates. A crash
    /// leaves the plain file or the protected one. Blocks of the plain file may remain on the disk,
    /// and its other names and copies stay.
    ///
    /// - Returns: The class that the file has now, and the properties that it could not keep.
    /// - Throws: `system` if the file has other names (hard links), which would stay plain; `busy`
    ///   if another program changed or replaced it meanwhile.
    @discardableResult
    package static func protect(
        _ path: String,
        _ fileClass: FileClass?,
        group: String? = nil,
        _ source: FileKeySource,
        step: Step = { _ throws(FileFailure) in }
    ) throws(FileFailure) -> (fileClass: FileClass, losses: [String]) {
        let replaced = try ReplacedFile(plain: ResolvedPath.of(path))
        guard let plain = replaced.file, let before = replaced.facts else { throw .closed }
        try replaced.requireOneName("protected")
        let file = try NewFile(over: replaced, fileClass, group: group, source)
        let buffer = CopyBuffer(for: Int(before.st_size))
        var offset = 0
        // Holes stay holes.
        while let data = plain.nextData(from: offset) {
            offset = max(offset, data & ~(FileLayout.chunkByteCount - 1))
            let count = try plain.read(buffer.bytes, at: offset)
            guard count > 0 else { break }
            try file.container.write(buffer.prefix(count), at: offset)
            offset += count
            // A growing file might never end.
            guard offset <= before.st_size else { throw .busy(replaced.path) }
            try step(offset)
        }
        if offset < before.st_size { try file.container.truncate(to: Int(before.st_size)) }
        file.dates = FileDates(before)
        try file.publish()
        try file.container.close()
        return (file.container.fileClass, file.losses)
    }

    /// Replaces a protected file by a plain one.
    ///
    /// The new file has the same content, mode, owner, extended attributes and dates. A crash
    /// leaves one of the two. From then on the plain content is on the disk, even if the file is
    /// protected again.
    ///
    /// - Returns: The properties that the file could not keep.
    /// - Throws: The errors of opening and reading; `system` if the file has other names; `busy` if
    ///   another program replaced it meanwhile.
    package static func unprotect(
        _ path: String,
        _ source: FileKeySource,
        step: Step = { _ throws(FileFailure) in }
    ) throws(FileFailure) -> [String] {
        let replaced = try ReplacedFile(protected: ResolvedPath.of(path), source)
        guard let file = replaced.container, let old = replaced.file, let facts = replaced.facts
        else { throw .closed }
        try replaced.requireOneName("made plain")
        let directory = replaced.place.directory
        Leftovers.sweepOnce(directory)
        let temporary = Leftovers.name(for: replaced.place.name, .unprotecting)
        let plain = try directory.create(temporary, mode: 0o600)
        var losses: [String]
        do throws(FileFailure) {
            try plain.lock(exclusively: true)
            try copy(file, to: plain, step)
            losses = try plain.adopt(facts, of: old)
            try plain.set(FileDates(facts))
            try plain.synchronize()
            try replaced.giveName(to: temporary)
        } catch {
            directory.discard(plain, temporary)
            throw error
        }
        if file.isExcludedFromBackup { losses.append("that backups leave it out") }
        plain.finish()
        try replaced.place.synchronize()
        try file.close()
        return losses
    }

    /// Copies the content; zeros become holes.
    private static func copy(
        _ file: FileContainer,
        to plain: RawFile,
        _ step: Step
    ) throws(FileFailure) {
        let buffer = CopyBuffer(for: file.byteCount)
        plain.begin()
        var offset = 0
        while offset < file.byteCount {
            let count = try file.read(into: buffer.bytes, at: offset)
            guard count > 0 else { break }
            let read = buffer.prefix(count)
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

/// Memory for content that is being copied; wiped with the object.
private final class CopyBuffer {
    /// The largest size, which is as much as two threads share.
    private static let limit = 1 << 21

    let bytes: UnsafeMutableRawBufferPointer

    init(for byteCount: Int) {
        let count = min(max(byteCount, FileLayout.chunkByteCount), Self.limit)
        bytes = .allocate(byteCount: count, alignment: FileLayout.slotByteCount)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
        bytes.deallocate()
    }

    func prefix(_ count: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bytes[..<count])
    }
}
