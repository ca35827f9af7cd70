import Foundation
import KeychainServices

/// The cost of writing in a keychain of a given size; added items are deleted again.
struct WritingWorkloads {
    let itemCount: Int
    let rounds: Int
    let floor: Floor

    func figures() throws -> [Figure] {
        // The numbers are above all others, including those of an earlier run in the same home.
        let first = itemCount * 2 + Int.random(in: 0..<1_000_000) * 1000
        let added = (0..<rounds + 2).map { SampleItem(number: first + $0) }
        var found: [Figure?] = []
        found.append(try adding(added, first: first))
        found.append(try updating(added, first: first))
        found.append(try deleting(added))
        let one = "add a batch, one thread"
        let eight = "add a batch, eight threads"
        found.append(try batch(one, threads: 1, first: first + 10 * rounds))
        found.append(try batch(eight, threads: 8, first: first + 20 * rounds))
        return found.compactMap { $0 }
    }

    private func adding(_ items: [SampleItem], first: Int) throws -> Figure? {
        let additions = items.map(\.addition)
        let times = try PairedTimes(rounds: rounds, calls: 1) {
            try Calls.expect(SecItemAdd(additions[$0], nil))
        } floor: {
            try floor.insert(first + $0)
        }
        return times.figure("add", items: itemCount, target: .atMost(1.3))
    }

    private func updating(_ items: [SampleItem], first: Int) throws -> Figure? {
        let queries = items.map { $0.search() }
        let changes = [kSecValueData as String: items[0].secret] as CFDictionary
        let times = try PairedTimes(rounds: rounds, calls: 1) {
            try Calls.expect(SecItemUpdate(queries[$0], changes))
        } floor: {
            try floor.replace(first + $0)
        }
        return times.figure("update", items: itemCount, target: .atMost(1.2))
    }

    private func deleting(_ items: [SampleItem]) throws -> Figure? {
        let queries = items.map { $0.search() }
        let times = try PairedTimes(rounds: rounds, calls: 1) {
            try Calls.expect(SecItemDelete(queries[$0]))
        }
        return times.figure("delete", items: itemCount, target: nil)
    }

    /// Measures durable adds one after the other, on all threads at once; the time is that of each.
    private func batch(_ name: String, threads: Int, first: Int) throws -> Figure? {
        let count = max(rounds / threads, 4)
        let additions = (0..<threads).map { thread in
            CallList((0..<count).map { SampleItem(number: first + thread * count + $0).addition })
        }
        let total = Double(count * threads)
        let time = try Threads.nanoseconds(threads) { thread in
            for addition in additions[thread].dictionaries {
                try Calls.expect(SecItemAdd(addition, nil))
            }
        }
        let floorTime = try Stopwatch.nanoseconds {
            for number in 0..<count * threads { try floor.insert(first + number) }
        }
        for number in first..<first + count * threads {
            try Calls.expect(SecItemDelete(SampleItem(number: number).search()))
        }
        return Figure(
            name,
            itemCount: itemCount,
            value: time / total / 1000,
            unit: .microseconds,
            floor: floorTime / total / 1000,
            target: threads == 1 ? .atMost(1.5) : nil
        )
    }
}
