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

    @Test func `take no more memory after ten thousand evaluations`() async {
        await #expect(processExitsWith: .success) {
            let bench = try SessionBench()
            let before = try Self.memory()
            for _ in 0..<10_000 {
                guard bench.status(of: Self.evaluation(1_000_000)) != .success else { exit(4) }
            }
            guard try Self.memory() - before < 64 << 10 else { exit(5) }
            withExtendedLifetime(bench) {}
        }
    }

    @Test func `take little memory if their passwords are as large as they may be`() async {
        await #expect(processExitsWith: .success) {
            let bench = try SessionBench()
            let before = try Self.memory()
            let statuses = (0..<10_000).map { _ in bench.status(of: Self.evaluation(4095)) }
            guard statuses.prefix(ContextScope.limit).allSatisfy({ $0 == .success }) else {
                exit(4)
            }
            guard statuses.dropFirst(ContextScope.limit).allSatisfy({ $0 == .notAvailable }) else {
                exit(6)
            }
            guard try Self.memory() - before < 16 << 10 else { exit(5) }
            withExtendedLifetime(bench) {}
        }
    }
}
