import Foundation
import KeychainMessages
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import KeychainDaemon

@Suite(.requirement("HRD-07")) struct `The contexts of a session` {
    private static func evaluation(_ byteCount: Int) -> Request {
        let context = ContextReference(
            session: SessionID(),
            applicationPassword: SharedSecret(Secret(byteCount: byteCount) { $0[0] = 1 })
        )
        return .authenticate(.evaluate(.factor(.applicationPassword), context))
    }

    /// The memory of this process in KiB.
    private static func memory() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        let words = line?.split(whereSeparator: \.isWhitespace)
        guard let words, words.count > 1, let count = Int(words[1]) else { exit(3) }
        return count
    }

    @Test(arguments: [(4095, 10_000), (1_000_000, 2_000)])
    func `take little memory, however long their passwords are`(
        byteCount: Int,
        count: Int
    ) async {
        await #expect(processExitsWith: .success) { [byteCount, count] in
            let bench = try SessionBench()
            let before = try Self.memory()
            let statuses = (0..<count).map { _ in bench.status(of: Self.evaluation(byteCount)) }
            guard statuses.prefix(ContextScope.limit).allSatisfy({ $0 == .success }) else {
                exit(4)
            }
            guard statuses.dropFirst(ContextScope.limit).allSatisfy({ $0 == .notAvailable }) else {
                exit(6)
            }
            guard try Self.memory() - before < 32 << 10 else { exit(5) }
            withExtendedLifetime(bench) {}
        }
    }
}
