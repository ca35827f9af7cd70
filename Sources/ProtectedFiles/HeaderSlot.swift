import KeychainMessages
import KeychainModel

/// The part of a header that is readable without a key.
///
/// - Source: Documentation/Spec/file.md §3.
struct HeaderSlot: Sendable, Equatable {
    static let plainByteCount = 640
    static let groupByteLimit = 512
    static let magic = Array("swprotfl".utf8)

    /// The reason why bytes are not a slot.
    enum Fault: Error { case noMagic, version, fields }

    var sequence: UInt64
    var key: WrappedFileKey

    init(sequence: UInt64, key: WrappedFileKey) {
        self.sequence = sequence
        self.key = key
    }

    /// Reads a slot, except its sealed part.
    init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count == FileLayout.slotByteCount, bytes.starts(with: Self.magic) else {
            throw .noMagic
        }
        guard bytes[8] == 0, bytes[9] == 1 else { throw .version }
        let groupCount = Int(BigEndian.number(bytes, at: 12) as UInt16)
        guard let fileClass = FileClass(rawValue: bytes[10]),
            Int(bytes[11]) == FileLayout.chunkBits,
            (1...Self.groupByteLimit).contains(groupCount),
            let group = String(validating: bytes[128..<128 + groupCount], as: UTF8.self),
            bytes[(128 + groupCount)..<Self.plainByteCount].allSatisfy({ $0 == 0 }),
            let file = FileIdentifier(Array(bytes[16..<32]))
        else { throw .fields }
        sequence = BigEndian.number(bytes, at: 32)
        key = WrappedFileKey(
            fileClass,
            file: file,
            group: group,
            keySet: Array(bytes[40..<56]),
            ephemeralPublicKey: fileClass == .completeUnlessOpen ? Array(bytes[56..<88]) : [],
            wrapped: Array(bytes[88..<128])
        )
        // The next header needs a larger number.
        guard sequence < .max, plainBytes == bytes[..<Self.plainByteCount] else { throw .fields }
    }

    /// The first 640 bytes of the slot.
    var plainBytes: ArraySlice<UInt8> {
        let group = Array(key.group.utf8)
        var bytes = Self.magic + [0, 1, key.fileClass.rawValue, UInt8(FileLayout.chunkBits)]
        bytes += BigEndian.bytes(UInt16(truncatingIfNeeded: group.count)) + [0, 0]
        bytes += key.file.bytes + BigEndian.bytes(sequence) + key.keySet
        bytes += key.ephemeralPublicKey
        bytes += [UInt8](repeating: 0, count: max(0, 88 - bytes.count)) + key.wrapped + group
        bytes += [UInt8](repeating: 0, count: max(0, Self.plainByteCount - bytes.count))
        return bytes[...]
    }

    /// Whether a keychain's reply fits into the fields.
    var isWritable: Bool {
        key.keySet.count == 16 && key.wrapped.count == WrappedFileKey.wrappedByteCount
            && [0, WrappedFileKey.publicKeyByteCount].contains(key.ephemeralPublicKey.count)
            && (1...Self.groupByteLimit).contains(key.group.utf8.count)
            && plainBytes.count == Self.plainByteCount
    }
}

/// The sealed part of the header, which describes the content.
struct FileState: Sendable, Equatable {
    static let byteCount =
        FileLayout.slotByteCount - HeaderSlot.plainByteCount - 28
    static let holeLimit = (byteCount - 40) / 8

    var length = 0
    var isExcludedFromBackup = false
    var holes = ChunkRanges()

    init() {}

    var chunkCount: UInt32 { FileLayout.chunkCount(length) }

    /// Whether the chunk has content on the disk.
    func hasBytes(_ chunk: UInt32) -> Bool { chunk < chunkCount && !holes.contains(chunk) }

    /// Reads a state; nil if the bytes do not have this format.
    init?(_ bytes: [UInt8]) {
        let length: UInt64 = BigEndian.number(bytes, at: 0)
        let flags: UInt32 = BigEndian.number(bytes, at: 8)
        let count = Int(BigEndian.number(bytes, at: 12) as UInt32)
        guard bytes.count == Self.byteCount, length <= UInt64(FileLayout.byteCountLimit),
            flags <= 1, count <= Self.holeLimit
        else { return nil }
        self.length = Int(length)
        isExcludedFromBackup = flags == 1
        var ranges: [Range<UInt32>] = []
        for number in 0..<count {
            let start: UInt32 = BigEndian.number(bytes, at: 40 + 8 * number)
            let size: UInt32 = BigEndian.number(bytes, at: 44 + 8 * number)
            let (end, isOver) = start.addingReportingOverflow(size)
            guard !isOver, end <= FileLayout.chunkCount(Int(length)) else { return nil }
            ranges.append(start..<end)
        }
        guard let holes = ChunkRanges(ranges) else { return nil }
        self.holes = holes
        // Bytes without a meaning have to be zero.
        guard self.bytes == bytes else { return nil }
    }

    var bytes: [UInt8] {
        var bytes = BigEndian.bytes(UInt64(length))
        bytes += BigEndian.bytes(UInt32(isExcludedFromBackup ? 1 : 0))
        bytes += BigEndian.bytes(UInt32(holes.ranges.count))
        bytes += [UInt8](repeating: 0, count: 24)
        for range in holes.ranges {
            bytes += BigEndian.bytes(range.lowerBound) + BigEndian.bytes(UInt32(range.count))
        }
        return bytes + [UInt8](repeating: 0, count: max(0, Self.byteCount - bytes.count))
    }
}
