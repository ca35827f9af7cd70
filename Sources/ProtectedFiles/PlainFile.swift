import Glibc
import KeychainModel

/// Between plain files and protected ones.
package enum PlainFile {
    /// Replaces a plain file by a protected one with its content, mode and owner.
    ///
    /// A crash leaves the plain file or the protected one. Blocks of the plain one may remain on
    /// the disk, and so do its other names and copies.
    ///
    /// - Throws: `system` if the file has other names (hard links), which would stay plain.
    package static func protect(
        _ path: String,
        _ fileClass: FileClass?,
        group: String? = nil,
        _ source: FileKeySource
    ) throws(FileFailure) {
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
        }
        let after = try plain.facts()
        guard before.st_mtim.tv_sec == after.st_mtim.tv_sec, offset == after.st_size,
            before.st_mtim.tv_nsec == after.st_mtim.tv_nsec
        else { throw .busy(target) }
        try file.publish(replacing: true)
        try file.container.close()
    }
}
