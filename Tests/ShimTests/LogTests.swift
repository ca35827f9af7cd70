import Foundation
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import os

@Suite struct `A message for the log` {
    private func line(_ write: () -> Void) -> String {
        let lines = Mutex<[String]>([])
        let append: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        LogOutput.$capture.withValue(.init(take: append), operation: write)
        return lines.withLock { $0.joined(separator: "|") }
    }

    private let logger = Logger(subsystem: "app", category: "keychain")

    @Test func `hides strings and shows numbers`() {
        let account = "ada"
        #expect(
            line { logger.error("adding \(account): \(Int32(-25299)), \(true)") }
                == "[app:keychain] error: adding <private>: -25299, true"
        )
    }

    @Test func `shows and hides what the program says`() {
        let account = "ada"
        #expect(
            line { logger.notice("\(account, privacy: .public) \(7, privacy: .private)") }
                == "[app:keychain] notice: ada <private>"
        )
        #expect(line { logger.notice("\(account, privacy: .sensitive)") }.hasSuffix("<sensitive>"))
    }

    @Test func `masks equal values alike, and shows nothing of them`() {
        let masked = ["ada", "ada", "bob"].map { account in
            line { logger.notice("\(account, privacy: .private(mask: .hash))") }
        }
        #expect(masked[0] == masked[1])
        #expect(masked[0] != masked[2])
        #expect(!masked[0].contains("ada"))
    }

    // RFC 4231 §4.3: the first 8 bytes of its HMAC-SHA-256.
    @Test func `has masks that are codes under a key`() throws {
        let mask = try LogMask(key: Secret(copying: Array("Jefe".utf8)))
        #expect(
            mask.text(for: "what do ya want for nothing?") == "<mask.hash: '5bdcc146bf60754e'>"
        )
    }

    // Swift's own hash would be the same in every process under `SWIFT_DETERMINISTIC_HASHING`.
    @Test func `has masks under a key that is random in each process`() {
        let other = LogMask()
        #expect(other.text(for: "ada") == other.text(for: "ada"))
        #expect(other.text(for: "ada") != LogMask.shared.text(for: "ada"))
        let masked = line { logger.notice("\("ada", privacy: .private(mask: .hash))") }
        #expect(masked.hasSuffix(LogMask.shared.text(for: "ada")))
        #expect(
            LogFormat("%{private, mask.hash}s").filled(with: ["ada"])
                == LogMask.shared.text(for: "ada")
        )
    }

    @Test func `shows each kind of number, and hides each kind of object`() {
        let count = 12
        #expect(
            line { logger.notice("\(count) \(1.5) \(count, format: .hex)") }.hasSuffix("12 1.5 c")
        )
        let url = URL(filePath: "/a")
        let error = NSError(domain: "a", code: 1)
        #expect(line { logger.notice("\(url) \(error)") }.hasSuffix("<private> <private>"))
    }

    @Test func `stays one line`() {
        let text = "a\nforged"
        #expect(line { logger.notice("\(text, privacy: .public)") }.hasSuffix("a\\nforged"))
    }

    @Test(
        arguments: [
            ("%d keys of %{public}@", "3 keys of mail"), ("%ld%% %@", "3% <private>"),
            ("%{private}d", "<private>"), ("%x %s %d", "3 <private> <missing>"),
        ]
    )
    func `fills the places of a format`(format: String, message: String) {
        #expect(LogFormat(format).filled(with: [3, "mail"]) == message)
    }

    @Test(
        arguments: [
            ("%d", "<private>"), ("%p", "<private>"), ("%.16P", "<private>"),
            ("%.*s", "<missing>"),
        ]
    )
    func `shows no string, whatever letter its place has`(format: String, message: String) {
        #expect(LogFormat(format).filled(with: ["secret"]) == message)
    }

    @Test func `gives no value to the error of the system`() {
        let text = LogFormat("failed %m for %{private}s").filled(with: ["secret"])
        #expect(text.hasSuffix(" for <private>"))
        #expect(LogFormat("%.*s %d").filled(with: [3, "abc", 7]) == "<private> 7")
    }

    @Test func `says nothing to the terminal`() {
        let text = "a\u{1B}]0;owned\u{7}"
        #expect(
            line { logger.notice("\(text, privacy: .public)") }.hasSuffix("a\\u{1b}]0;owned\\u{7}")
        )
    }

    @Test func `takes a string where C would take an object`() {
        #expect(line { os_log(.error, "failed: %{public}@", "why") } == "error: failed: why")
        #expect(line { os_log(.debug, "nobody reads this") }.isEmpty)
    }
}

@Suite struct `A lock with its state` {
    @Test func `guards it from many tasks`() async {
        let lock = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            (0..<50).forEach { _ in group.addTask { lock.withLock { $0 += 1 } } }
        }
        #expect(lock.withLock { $0 } == 50)
        #expect(lock.withLockIfAvailable { $0 } == 50)
    }
}
