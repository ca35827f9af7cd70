import Foundation
import KeychainModel

/// A keychain with many items, and the time to open it in comparison with an empty one.
struct ScaleRun {
    private static let batchCount = 1000
    private static let repeatCount = 9

    let itemCount: Int
    let report: TortureReport

    func run() throws(KeychainError) {
        let root = NSTemporaryDirectory() + "keychain-scale-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: root) }
        let empty = root + "-empty"
        defer { try? FileManager.default.removeItem(atPath: empty) }
        try Rig(empty).close()
        let start = ContinuousClock.now
        try fill(root)
        report.add("items", itemCount)
        report.add("filling-ms", Self.milliseconds(ContinuousClock.now - start))
        let small = try median { () throws(KeychainError) in try open(empty, "absent") }
        let large = try median { () throws(KeychainError) in try open(root, name(itemCount / 2)) }
        report.add("opening-empty-us", Self.microseconds(small))
        report.add("opening-full-us", Self.microseconds(large))
        let checking = ContinuousClock.now
        let rig = try Rig(root)
        let checked = try rig.engine().check(progress: { count in
            report.progress("\(count) rows checked")
        })
        report.add("checked-rows", checked.rowCount)
        report.add("checking-ms", Self.milliseconds(ContinuousClock.now - checking))
        if checked.faultCount > 0 || checked.rowCount != itemCount {
            report.found("a check of \(itemCount) items says \(checked)", repeatWith: "")
        }
        if large > small * 3 {
            report.found("opening takes \(large) full and \(small) empty", repeatWith: "")
        }
    }

    private func name(_ number: Int) -> String { "account \(number)" }

    private func fill(_ directory: String) throws(KeychainError) {
        let rig = try Rig(directory)
        defer { rig.close() }
        var number = 0
        while number < itemCount {
            let batch = (number..<min(number + Self.batchCount, itemCount)).map { number in
                Rig.filled(
                    Rig.item(
                        name(number),
                        ["svce": .string("service \(number % 97)"), "labl": .string("a label")]
                    ),
                    "value \(number)"
                )
            }
            _ = try rig.endpoint().send(.addAll(batch, duplicates: .refused))
            number += batch.count
            report.progress("\(number) of \(itemCount) items added")
        }
    }

    /// Opens the keychain, looks for one item, and closes it.
    private func open(_ directory: String, _ account: String) throws(KeychainError) {
        let rig = try Rig(directory)
        defer { rig.close() }
        do throws(KeychainError) { _ = try rig.read(Rig.item(account)) } catch {
            guard error.status == .itemNotFound else { throw error }
        }
    }

    private func median(
        _ body: () throws(KeychainError) -> Void
    ) throws(KeychainError) -> Duration {
        var times: [Duration] = []
        for _ in 0..<Self.repeatCount {
            let start = ContinuousClock.now
            try body()
            times.append(ContinuousClock.now - start)
        }
        return times.sorted()[Self.repeatCount / 2]
    }

    private static func milliseconds(_ duration: Duration) -> Int {
        Int(duration / .milliseconds(1))
    }

    private static func microseconds(_ duration: Duration) -> Int {
        Int(duration / .microseconds(1))
    }
}
