import Cryptography

// Definitions  "pending": written, but not yet made durable by a sync of the file; for names, by a
//              sync of the directory.
// Law          After a power cut, a file has its durable bytes and any subset of its pending
//              changes, in order; the last one may have arrived in part. Names change in order: a
//              journaling file system loses the last changes, never some in the middle.

/// The content of a disk after recorded changes, and the possible contents after a power cut.
struct DiskModel {
    private struct File {
        var durable: [UInt8] = []
        var pending: [DiskChange.Kind] = []
    }

    private enum NameChange {
        case set(String, Int)
        case move(String, to: String)
        case remove(String)
    }

    /// The part of the pending changes that remains after the cut.
    enum Outcome {
        /// All changes remain, because only the process ended.
        case everything
        /// Only durable changes remain.
        case nothing
        /// A random part remains.
        case some
    }

    private var files: [File] = []
    private var names: [String: Int] = [:]
    private var durableNames: [String: Int] = [:]
    private var pendingNames: [NameChange] = []

    mutating func apply(_ change: DiskChange) {
        switch change.kind {
        case .create:
            files.append(File())
            apply(.set(change.path, files.count - 1))
        case .rename(let target): apply(.move(change.path, to: target))
        case .remove: apply(.remove(change.path))
        case .sync where change.path.isEmpty:
            durableNames = names
            pendingNames = []
        case .sync:
            guard let index = names[change.path] else { return }
            files[index].durable = Self.bytes(of: files[index], files[index].pending)
            files[index].pending = []
        case .write, .truncate:
            guard let index = names[change.path] else { return }
            files[index].pending.append(change.kind)
        }
    }

    private mutating func apply(_ change: NameChange) {
        Self.apply(change, to: &names)
        pendingNames.append(change)
    }

    private static func apply(_ change: NameChange, to names: inout [String: Int]) {
        switch change {
        case .set(let name, let file): names[name] = file
        case .move(let name, let target): names[target] = names.removeValue(forKey: name)
        case .remove(let name): names[name] = nil
        }
    }

    /// Returns the files after a power cut at this moment.
    func state(_ outcome: Outcome, _ random: inout SeededNumbers) -> [String: [UInt8]] {
        var found = durableNames
        let kept =
            switch outcome {
            case .everything: pendingNames.count
            case .nothing: 0
            case .some: random.next(below: pendingNames.count + 1)
            }
        for change in pendingNames.prefix(kept) { Self.apply(change, to: &found) }
        var contents: [Int: [UInt8]] = [:]
        for index in found.values.sorted() {
            let file = files[index]
            let changes =
                switch outcome {
                case .everything: file.pending
                case .nothing: [DiskChange.Kind]()
                case .some: Self.subset(of: file.pending, &random)
                }
            contents[index] = Self.bytes(of: file, changes)
        }
        return found.compactMapValues { contents[$0] }
    }

    /// Returns a random subset of the changes; one in eight arrives in part, up to a sector's
    /// boundary.
    private static func subset(
        of pending: [DiskChange.Kind],
        _ random: inout SeededNumbers
    ) -> [DiskChange.Kind] {
        pending.compactMap { change in
            switch random.next(below: 8) {
            case 0...3: return nil
            case 4:
                guard case .write(let offset, let bytes) = change else { return change }
                let sectors = random.next(below: bytes.count / 512 + 1)
                return .write(offset: offset, bytes: Array(bytes.prefix(sectors * 512)))
            default: return change
            }
        }
    }

    private static func bytes(of file: File, _ changes: [DiskChange.Kind]) -> [UInt8] {
        var bytes = file.durable
        for change in changes {
            switch change {
            case .write(let offset, let written):
                let end = offset + written.count
                if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
                bytes.replaceSubrange(offset..<end, with: written)
            case .truncate(let size):
                bytes =
                    bytes.count > size
                    ? Array(bytes.prefix(size))
                    : bytes + Array(repeating: 0, count: size - bytes.count)
            default: continue
            }
        }
        return bytes
    }
}
