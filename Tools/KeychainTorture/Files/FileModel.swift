import Cryptography
import KeychainMessages
import KeychainModel
import ProtectedFiles
import Secrets

/// A change of a protected file that a flush makes durable completely.
enum FileStep: Sendable, CustomStringConvertible {
    case write(offset: Int, count: Int, seed: UInt64)
    case truncate(Int)
    case move(FileClass)
    case replace(count: Int, seed: UInt64)
    case exclude(Bool)

    var description: String {
        switch self {
        case .write(let offset, let count, _): "write \(count) bytes at \(offset)"
        case .truncate(let length): "truncate to \(length)"
        case .move(let fileClass): "move to \(fileClass)"
        case .replace(let count, _): "replace by \(count) bytes"
        case .exclude(let isExcluded): "exclude: \(isExcluded)"
        }
    }

    /// Returns the possible contents after a write that failed while the file could still be
    /// closed.
    ///
    /// The write may have ended at any boundary of a chunk.
    func parts(of before: [UInt8]) -> [[UInt8]] {
        guard case .write(let offset, let count, let seed) = self else { return [] }
        let bytes = FileModel.bytes(count, seed)
        let ends = (offset..<offset + count).lazy.filter { $0 & 0xFFFF == 0 }
        return ends.map { end in
            let gap = [UInt8](repeating: 0, count: max(0, end - before.count))
            var content = before + gap
            content.replaceSubrange(offset..<end, with: bytes.prefix(end - offset))
            return content
        }
    }
}

/// The expected content of a protected file, after a sequence of steps that a seed determines.
struct FileModel {
    private(set) var content: [UInt8] = []
    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    /// Chooses the next step and applies it to the model.
    mutating func next() -> FileStep {
        let step = choose()
        apply(step)
        return step
    }

    private mutating func choose() -> FileStep {
        let seed = random.next()
        switch random.next(below: 12) {
        case 0...3:
            return .write(offset: content.count, count: 1 + random.next(below: 90_000), seed: seed)
        case 4...6:
            let offset = random.next(below: content.count + 1)
            return .write(offset: offset, count: 1 + random.next(below: 5000), seed: seed)
        case 7:
            let offset = random.next(below: 4) << 16
            return .write(offset: offset, count: 65536 + random.next(below: 2) * 65536, seed: seed)
        case 8: return .truncate(random.next(below: content.count + 1))
        case 9: return .truncate(random.next(below: 300_000))
        case 10:
            let classes = FileClass.allCases
            return random.next(below: 2) == 0
                ? .move(random.pick(classes)) : .exclude(random.next(below: 2) == 0)
        default: return .replace(count: random.next(below: 150_000), seed: seed)
        }
    }

    private mutating func apply(_ step: FileStep) {
        switch step {
        case .write(let offset, let count, let seed):
            lengthen(to: offset + count)
            content.replaceSubrange(offset..<offset + count, with: Self.bytes(count, seed))
        case .truncate(let length):
            lengthen(to: length)
            content.removeLast(content.count - length)
        case .replace(let count, let seed): content = Self.bytes(count, seed)
        case .move, .exclude: break
        }
    }

    private mutating func lengthen(to length: Int) {
        guard content.count < length else { return }
        content += [UInt8](repeating: 0, count: length - content.count)
    }

    /// Returns bytes that a seed determines.
    static func bytes(_ count: Int, _ seed: UInt64) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        bytes.withUnsafeMutableBytes { SeededRandomSource(seed: seed).fill($0) }
        return bytes
    }
}

/// A protected file on a disk that fails.
enum FileRig {
    static let name = "diary"

    /// A source that wraps a key so that any process can unwrap it, because only the file is tested
    /// here.
    static let source = FileKeySource { request throws(KeychainError) in
        switch request {
        case .make(let fileClass, let file, let group):
            let key = file.bytes + file.bytes.reversed()
            let wrapped = wrap(key, fileClass, file, group ?? "torture")
            return .made(wrapped, key: SharedSecret(Secret(copying: key)))
        case .open(let wrapped):
            guard
                wrapped.wrapped == wrap([], wrapped.fileClass, wrapped.file, wrapped.group).wrapped
            else { throw KeychainError(.decode, "the wrapped key was changed") }
            return .key(
                SharedSecret(Secret(copying: wrapped.file.bytes + wrapped.file.bytes.reversed()))
            )
        case .move(let wrapped, let fileClass):
            return .moved(wrap([], fileClass, wrapped.file, wrapped.group))
        case .check: return .usable
        }
    }

    private static func wrap(
        _ key: [UInt8],
        _ fileClass: FileClass,
        _ file: FileIdentifier,
        _ group: String
    ) -> WrappedFileKey {
        let isEphemeral = fileClass == .completeUnlessOpen
        let mark = file.bytes + file.bytes + [UInt8](repeating: fileClass.rawValue, count: 8)
        return WrappedFileKey(
            fileClass,
            file: file,
            group: group,
            keySet: [UInt8](repeating: 4, count: 16),
            ephemeralPublicKey: isEphemeral ? [UInt8](repeating: 5, count: 32) : [],
            wrapped: mark
        )
    }

    static func path(_ directory: String) -> String { directory + "/" + name }

    /// Makes an empty file.
    static func create(_ directory: String) throws(FileFailure) -> FileContainer {
        let new = try NewFile(path(directory), .complete, source)
        try new.publish(replacing: true)
        return new.container
    }

    static func open(
        _ directory: String,
        isWritable: Bool = true
    ) throws(FileFailure) -> FileContainer {
        try FileContainer.open(path(directory), isWritable: isWritable, source)
    }

    /// Carries out a step and makes it durable.
    ///
    /// - Returns: The file that is open from then on.
    static func carryOut(
        _ step: FileStep,
        on file: FileContainer,
        _ directory: String
    ) throws(FileFailure) -> FileContainer {
        switch step {
        case .write(let offset, let count, let seed):
            try write(FileModel.bytes(count, seed), to: file, at: offset)
        case .truncate(let length): try file.truncate(to: length)
        case .move(let fileClass): try file.move(to: fileClass)
        case .exclude(let isExcluded): try file.setExcludedFromBackup(isExcluded)
        case .replace(let count, let seed):
            let new = try NewFile(path(directory), file.fileClass, source)
            try write(FileModel.bytes(count, seed), to: new.container, at: 0)
            try new.publish(replacing: true)
            return new.container
        }
        try file.flush()
        return file
    }

    private static func write(
        _ bytes: [UInt8],
        to file: FileContainer,
        at offset: Int
    ) throws(FileFailure) {
        try bytes.withUnsafeBufferPointer { bytes throws(FileFailure) in
            try file.write(UnsafeRawBufferPointer(bytes), at: offset)
        }
    }

    static func content(_ file: FileContainer) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xEE, count: file.byteCount)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(FileFailure) in
            try file.read(into: UnsafeMutableRawBufferPointer(bytes), at: 0)
        }
        return Array(bytes.prefix(count))
    }

    /// Returns the content for a reader, which must be the same for a writer.
    static func reopened(_ directory: String) throws(FileFailure) -> [UInt8] {
        let reader = try open(directory, isWritable: false)
        let found = try content(reader)
        try reader.close()
        let writer = try open(directory)
        let again = try content(writer)
        try writer.close()
        guard found == again else { throw .interrupted("the writer found something else") }
        return found
    }
}
