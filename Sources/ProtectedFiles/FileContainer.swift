import Cryptography
import KeychainMessages
import KeychainModel
import Secrets

// Definitions  "committed": inside the length and outside the holes of the newest durable header.
//              "dirty": changed in memory, and not yet on the disk in that form.
//              "placed": whole and on the disk, but not committed.
// Invariants   (1) A committed chunk is only overwritten while a durable redo record has the
//                  new content.
//              (2) A chunk that is neither dirty nor placed nor a hole is committed, and has
//                  the same size on the disk as in the present content.
//              (3) Without keys nothing is dirty and nothing is cached.
// States       open ─refused→ without keys ─allowed→ open ─close→ closed; any ─failed flush→ broken

/// A protected file that is open: its content, read and written at any offset.
///
/// Several threads cannot use it at once. `ProtectedFile` of the library allows that, and has
/// Apple's errors.
///
/// - Source: Documentation/Spec/file.md.
package final class FileContainer {
    /// The largest number of chunks in memory before they are made durable.
    static let dirtyLimit = RedoRecord.chunkLimit / 2
    /// The largest number of placed ranges of chunks before the header has to name them.
    static let placedLimit = 256

    package let path: String
    package let isWritable: Bool
    let file: RawFile
    let source: FileKeySource

    var slot: HeaderSlot
    var committed: FileState
    var current: FileState
    var keys: FileKeys?
    var dirty: [UInt32: ChunkBuffer] = [:]
    var placed = ChunkRanges()
    /// The chunk that was read last.
    var cached: (number: UInt32, buffer: ChunkBuffer)?
    /// The places of chunks that a redo record has, for a reader.
    var redirected: [UInt32: RedoRecord.Entry] = [:]
    /// The lanes of the threads; only the first, unless much is read or written at once.
    var lanes: [ChunkLane] = []
    var isBroken = false
    private var isClosed = false

    init(
        _ file: RawFile,
        _ source: FileKeySource,
        _ slot: HeaderSlot,
        _ state: FileState,
        _ keys: FileKeys,
        isWritable: Bool
    ) {
        self.path = file.path
        self.file = file
        self.source = source
        self.slot = slot
        self.committed = state
        self.current = state
        self.keys = keys
        self.isWritable = isWritable
    }

    deinit { if !isClosed { try? flush() } }

    /// The length of the content in bytes.
    package var byteCount: Int { current.length }
    package var fileClass: FileClass { slot.key.fileClass }
    package var group: String { slot.key.group }
    package var keySet: [UInt8] { slot.key.keySet }
    package var identifier: FileIdentifier { slot.key.file }
    package var isExcludedFromBackup: Bool { current.isExcludedFromBackup }

    /// Asks the keychain whether the file may be used now; gets the key back after an unlock.
    ///
    /// - Throws: `keychain`; earlier writes are then stored, and the key is wiped.
    package func authorize() throws(FileFailure) {
        guard !isClosed else { throw .closed }
        guard !isBroken else { throw .interrupted(path) }
        switch fileClass {
        case .completeUnlessOpen, .none: break
        case .complete, .completeUntilFirstUserAuthentication:
            do throws(KeychainError) { try source.check(slot.key) } catch {
                forget()
                throw .keychain(error)
            }
        }
        guard keys == nil else { return }
        let key = try FileFailure.asking { () throws(KeychainError) in try source.open(slot.key) }
        keys = try FileFailure.wrapping { () throws(CryptographyError) in
            try FileKeys(key.secret, of: identifier)
        }
    }

    /// Stores earlier writes, then wipes the key and all content in memory.
    private func forget() {
        if keys != nil {
            do throws(FileFailure) { try flush() } catch { isBroken = isBroken || !dirty.isEmpty }
        }
        keys = nil
        lanes = []
        dirty = [:]
        cached = nil
    }

    /// Makes everything durable and closes the file, even if the keychain is locked by now.
    package func close() throws(FileFailure) {
        guard !isClosed else { return }
        isClosed = true
        defer {
            file.close()
            keys = nil
            lanes = []
            dirty = [:]
            cached = nil
        }
        try flush()
    }

    func requireWritable() throws(FileFailure) {
        guard isWritable else { throw .notWritable }
        try authorize()
    }

    /// Returns the keys that `authorize` obtained.
    func presentKeys() throws(FileFailure) -> FileKeys {
        guard let keys else { throw .interrupted(path) }
        return keys
    }
}
