import Cryptography
import Foundation
import KeychainServices

/// The cost of reading in a keychain of a given size.
struct ReadingWorkloads {
    let itemCount: Int
    let rounds: Int
    let floor: Floor

    /// The number of calls in one measurement of a search, which is short enough to fit between two
    /// interruptions of a busy machine.
    private static let calls = 50

    static let findName = "find with data"
    static let attributesName = "find attributes"
    static let bothName = "find attributes and data"

    func figures() throws -> [Figure] {
        let numbers = sampledNumbers()
        try warm(numbers)
        var found: [Figure?] = []
        found.append(
            try searches(Self.findName, numbers, target: .atMost(2)) {
                SampleItem(number: $0).search(data: true)
            } call: {
                try Calls.findData($0)
            }
        )
        found.append(
            try searches(Self.attributesName, numbers) {
                SampleItem(number: $0).search(attributes: true)
            } call: {
                try Calls.findAttributes($0)
            }
        )
        found.append(
            try searches(Self.bothName, numbers) {
                SampleItem(number: $0).search(data: true, attributes: true)
            } call: {
                try Calls.findAttributes($0)
            }
        )
        found.append(
            try searches("exists", numbers) {
                SampleItem(number: $0).search()
            } call: {
                try Calls.expect(SecItemCopyMatching($0, nil))
            }
        )
        found.append(
            try searches("miss", numbers) {
                SampleItem(number: $0 + itemCount * 10).search(data: true)
            } call: {
                try Calls.expect(SecItemCopyMatching($0, nil), errSecItemNotFound)
            }
        )
        found.append(
            try searches("find by label", numbers) {
                SampleItem(number: $0).searchByLabel
            } call: {
                try Calls.findData($0)
            }
        )
        found.append(try listing())
        return found.compactMap { $0 }
    }

    /// Reads the items once before, so that the first workload does not measure the disk.
    private func warm(_ numbers: [Int]) throws {
        for number in numbers {
            try Calls.findData(SampleItem(number: number).search(data: true))
            try floor.find(number)
        }
    }

    private func sampledNumbers() -> [Int] {
        var generator = SeededNumbers(seed: 42)
        return (0..<(rounds + 2) * Self.calls).map { _ in
            Int.random(in: 0..<itemCount, using: &generator)
        }
    }

    private func searches(
        _ name: String,
        _ numbers: [Int],
        target: FigureTarget? = nil,
        query: (Int) -> CFDictionary,
        call: (CFDictionary) throws -> Void
    ) throws -> Figure? {
        let queries = numbers.map(query)
        let times = try PairedTimes(rounds: rounds, calls: Self.calls, .processor) {
            try call(queries[$0])
        } floor: {
            try floor.find(numbers[$0])
        }
        return times.figure(name, items: itemCount, target: target)
    }

    /// Measures a listing of a hundred items; the floor finds and opens as many values.
    private func listing() throws -> Figure? {
        let services = itemCount / SampleItem.countPerService
        let size = SampleItem.countPerService
        let times = try PairedTimes(rounds: max(rounds / 4, 5), calls: 1, .processor) { call in
            let item = SampleItem(number: call * 7 % services * size)
            try Calls.list(item.searchByService, count: size)
        } floor: { call in
            let first = call * 7 % services * size
            try floor.findAll(first..<first + size)
        }
        return times.figure("list 100 attributes", items: itemCount, target: nil)
    }
}
