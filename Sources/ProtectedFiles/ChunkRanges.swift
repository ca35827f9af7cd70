/// Chunks as ranges of numbers, ascending and apart.
struct ChunkRanges: Sendable, Equatable {
    private(set) var ranges: [Range<UInt32>] = []

    init() {}

    /// Creates a value of ranges; nil unless they are ascending, apart and not empty.
    init?(_ ranges: [Range<UInt32>]) {
        var end: UInt32?
        for range in ranges {
            guard !range.isEmpty, end.map({ $0 < range.lowerBound }) ?? true else { return nil }
            end = range.upperBound
        }
        self.ranges = ranges
    }

    var isEmpty: Bool { ranges.isEmpty }

    /// Returns the index of the first range that ends behind a chunk.
    private func place(of chunk: UInt32) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > chunk { high = middle } else { low = middle + 1 }
        }
        return low
    }

    func contains(_ chunk: UInt32) -> Bool {
        let place = place(of: chunk)
        return place < ranges.count && ranges[place].contains(chunk)
    }

    mutating func insert(_ added: Range<UInt32>) {
        guard !added.isEmpty else { return }
        var merged = added
        // Ranges that only touch are joined too.
        var first = place(of: added.lowerBound)
        if first > 0, ranges[first - 1].upperBound == added.lowerBound { first -= 1 }
        var end = first
        while end < ranges.count, ranges[end].lowerBound <= added.upperBound {
            merged =
                min(
                    merged.lowerBound,
                    ranges[end].lowerBound
                )..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: [merged])
    }

    mutating func remove(_ removed: Range<UInt32>) {
        guard !removed.isEmpty else { return }
        let first = place(of: removed.lowerBound)
        var (end, rest) = (first, [Range<UInt32>]())
        while end < ranges.count, ranges[end].lowerBound < removed.upperBound {
            let range = ranges[end]
            if range.lowerBound < removed.lowerBound {
                rest.append(range.lowerBound..<removed.lowerBound)
            }
            if range.upperBound > removed.upperBound {
                rest.append(removed.upperBound..<range.upperBound)
            }
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: rest)
    }

    mutating func insert(_ chunk: UInt32) { insert(chunk..<chunk + 1) }
    mutating func remove(_ chunk: UInt32) { remove(chunk..<chunk + 1) }
}
