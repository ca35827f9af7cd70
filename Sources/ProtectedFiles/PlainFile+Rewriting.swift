import Glibc

extension PlainFile {
    /// The rights of a file that is rewritten.
    package struct Rights {
        /// The mode of a file where there was none.
        let new: mode_t
        /// The rights that any other file keeps at most; it loses the rest.
        let limit: mode_t

        package init(new: UInt32, limit: UInt32 = 0o7777) {
            self.new = mode_t(new)
            self.limit = mode_t(limit)
        }
    }

    /// Gives a plain file new content as a whole, or makes the file.
    ///
    /// The new file has the mode, owner and extended attributes of the old one. A reader sees the
    /// old content or the new one.
    ///
    /// - Parameters:
    ///   - path: The file; a link is an error.
    ///   - content: The new content.
    ///   - draft: The unused name of the file in the making, in the same directory. After a crash,
    ///     the old file may have it, so the caller removes unlocked files of that name.
    ///   - rights: The rights of the file.
    ///   - isExpected: Whether the present content may be replaced; nil stands for no file.
    /// - Returns: Whether the present content was as expected; otherwise nothing has changed.
    /// - Throws: `busy` if another program has the file open for writing, or changed or replaced it
    ///   meanwhile; `system`.
    package static func rewrite(
        _ path: String,
        with content: [UInt8],
        draft: String,
        _ rights: Rights,
        ifStill isExpected: ([UInt8]?) -> Bool
    ) throws(FileFailure) -> Bool {
        let replaced = try ReplacedFile(plainOrNone: path)
        let present = try replaced.file.map { file throws(FileFailure) in
            try file.bytes(try file.byteCount(), at: 0)
        }
        guard isExpected(present) else { return false }
        let directory = replaced.place.directory
        let file = try directory.create(draft, mode: 0o600)
        do throws(FileFailure) {
            // The lock shows other processes that the draft is still in use.
            try file.lock(exclusively: true)
            try file.write(content, at: 0)
            if let old = replaced.file, let facts = replaced.facts {
                _ = try file.adopt(facts, of: old)
                try file.keep(try file.facts().st_mode & 0o7777 & rights.limit)
            } else {
                try file.keep(rights.new)
            }
            try file.synchronize()
            try replaced.giveName(to: draft, isLeftover: true)
        } catch {
            directory.discard(file, draft)
            throw error
        }
        try replaced.place.synchronize()
        return true
    }
}
