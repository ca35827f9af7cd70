import Cryptography
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `A file changed at random` {
    @Test(arguments: [1, 2] as [UInt64])
    func `has the content of an array changed alike`(seed: UInt64) throws {
        let walk = try FileWalk(seed: seed)
        let difference = try walk.run(stepCount: 50)
        #expect(difference == nil, "seed \(seed): \(difference ?? "")")
    }
}

/// Random changes of a file and of an array.
private final class FileWalk {
    private let folder: Folder
    private let keys = MemoryFileKeys()
    private var file: FileContainer
    private var model: [UInt8] = []
    private var random: SeededNumbers

    init(seed: UInt64) throws {
        folder = try Folder()
        random = SeededNumbers(seed: seed)
        file = try FileContainer.create(folder("a"), .complete, keys.source)
    }

    /// - Returns: what is different after a step; nil if nothing ever was.
    func run(stepCount: Int) throws -> String? {
        for step in 0..<stepCount {
            let name = try change()
            guard file.byteCount == model.count else { return "length after \(name), step \(step)" }
            let offset = random.next(below: model.count + 1)
            let count = random.next(below: 100_000)
            let expected = Array(model[offset..<min(model.count, offset + count)])
            guard try file.some(offset, count) == expected else {
                return "read at \(offset) after \(name), step \(step)"
            }
        }
        try reopen()
        return try file.all() == model ? nil : "the whole at the end"
    }

    private func change() throws -> String {
        switch random.next(below: 10) {
        case 0: try reopen()
        case 1: try file.flush()
        case 2:
            let length = random.next(below: 400_000)
            try file.truncate(to: length)
            model = Array(model.prefix(length))
            model += [UInt8](repeating: 0, count: length - model.count)
            return "truncate to \(length)"
        case 3:
            // Some are so much that two threads share the work.
            let count = 65536 * random.pick([1, 2, 9])
            try write(at: random.next(below: 5) << 16, count: count)
        case 4: try write(at: model.count, count: random.next(below: 70_000))
        default: try write(at: random.next(below: 400_000), count: random.next(below: 3000))
        }
        return "another step"
    }

    private func write(at offset: Int, count: Int) throws {
        guard count > 0 else { return }
        let bytes = pattern(count, seed: UInt8(random.next(below: 200)))
        try file.put(bytes, at: offset)
        let end = offset + count
        if model.count < end { model += [UInt8](repeating: 0, count: end - model.count) }
        model.replaceSubrange(offset..<end, with: bytes)
    }

    private func reopen() throws {
        try file.close()
        file = try FileContainer.open(folder("a"), isWritable: true, keys.source)
    }
}

@Suite struct `Ranges of chunks` {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func `contain what was put in and not taken out`(seed: UInt64) {
        let (ranges, model) = changed(seed)
        #expect((0..<70).filter { ranges.contains($0) } == model.sorted())
        #expect(ChunkRanges(ranges.ranges) == ranges)
    }

    /// Ranges and a set after the same changes.
    private func changed(_ seed: UInt64) -> (ChunkRanges, Set<UInt32>) {
        var random = SeededNumbers(seed: seed)
        var (ranges, model) = (ChunkRanges(), Set<UInt32>())
        for _ in 0..<300 {
            let start = UInt32(random.next(below: 60))
            let range = start..<start + UInt32(random.next(below: 8))
            if random.next(below: 2) == 0 {
                ranges.insert(range)
                model.formUnion(range)
            } else {
                ranges.remove(range)
                model.subtract(range)
            }
        }
        return (ranges, model)
    }
}
