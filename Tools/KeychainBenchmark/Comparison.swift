import Foundation
import Glibc
import KeychainServices

/// The keychain's part of `Scripts/compare.sh`, which writes lines of a name and a number.
enum Comparison {
    /// Measures finding, adding, replacing and listing, and the peak of memory.
    ///
    /// The times are medians in microseconds, and the memory is in kilobytes.
    static func measure(itemCount: Int, calls: Int) throws {
        let items = (0..<calls).map { SampleItem(number: $0 * 7 % itemCount) }
        let others = (0..<calls).map { SampleItem(number: itemCount * 2 + $0) }
        try tell("find", items.map { $0.search(data: true) }) { try Calls.findData($0) }
        let everything = SampleItem.searchForAll
        try tell("list", [everything, everything, everything]) {
            try Calls.list($0, count: itemCount)
        }
        let changes = [kSecValueData as String: items[0].secret] as CFDictionary
        try tell("replace", items.map { $0.search() }) {
            try Calls.expect(SecItemUpdate($0, changes))
        }
        try tell("add", others.map(\.addition)) { try Calls.expect(SecItemAdd($0, nil)) }
        print("memory \(try ChildWork.peakKilobytes())")
    }

    private static func tell(
        _ name: String,
        _ dictionaries: [CFDictionary],
        _ call: (CFDictionary) throws -> Void
    ) throws {
        let times = try dictionaries.map { dictionary in
            try Stopwatch.nanoseconds { try call(dictionary) }
        }
        guard let samples = Samples(times) else { return }
        print("\(name) \(samples.median / 1000)")
    }

    /// The item that the two functions below use.
    private static let held = SampleItem(number: 200_000_000)

    /// Stores one item, reports that, and waits to be killed.
    static func hold() throws {
        try Calls.expect(SecItemAdd(held.addition, nil))
        Output.write("stored", to: STDOUT_FILENO)
        while true { pause() }
    }

    /// Fails unless that item exists.
    static func has() throws { try Calls.findData(held.search(data: true)) }
}
