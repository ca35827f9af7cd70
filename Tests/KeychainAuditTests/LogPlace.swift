import CallerEvidence
import Foundation
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization
import Testing

@testable import KeychainAudit

/// What was said, from any thread.
final class Sentences: Sendable {
    let all = Mutex<[String]>([])
}

/// A directory for a log; it is removed with the object.
final class LogPlace: Sendable {
    let directory: String
    /// What the log said of itself.
    private let said = Sentences()

    init() {
        directory =
            FileManager.default.temporaryDirectory.path + "/log-" + UUID().uuidString.lowercased()
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    var notes: [String] { said.all.withLock { $0 } }

    /// Opens the log with small files, at a time that stands still.
    func open(
        fileByteCount: Int = 4096,
        fileCount: Int = 4,
        key: UInt8 = 7,
        journal: AuditLog.Journal? = nil
    ) throws -> AuditLog {
        try AuditLog(
            directory: directory,
            key: SharedSecret(Secret(copying: [UInt8](repeating: key, count: 32))),
            now: { 1_790_000_000 },
            limits: .init(fileByteCount: fileByteCount, fileCount: fileCount),
            journal: journal,
            note: { [said] sentence in said.all.withLock { $0.append(sentence) } }
        )
    }

    /// Opens the log for the length of one call, and leaves it as a killed process would.
    func withLog<R>(_ body: (AuditLog) throws -> R) throws -> R { try body(try open()) }

    /// The files with lines, in order.
    var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".log") }.sorted()
    }

    /// The date of a file that nobody has written for long.
    static let oldAge = Date(timeIntervalSince1970: 1_000_000_000)

    /// Gives a file that date.
    func age(_ name: String) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Self.oldAge],
            ofItemAtPath: path(name)
        )
    }

    func age(of name: String) throws -> Date? {
        let found = try FileManager.default.attributesOfItem(atPath: path(name))
        return found[.modificationDate] as? Date
    }

    func path(_ name: String) -> String { directory + "/" + name }

    func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// Writes over a file, in its place and with its mode.
    func replace(_ name: String, with text: String) throws {
        let handle = try #require(FileHandle(forWritingAtPath: path(name)))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    /// Changes the text of a file.
    func edit(_ name: String, _ change: (String) -> String) throws {
        try replace(name, with: change(try text(name)))
    }
}

extension LogLine {
    /// A line of a program that looks for a password.
    static func find(_ account: Int = 0, group: String = "mail", status: Int32 = 0) -> LogLine {
        LogLine(
            time: 1_790_000_000 + Int64(account),
            program: "/usr/bin/mailer",
            level: .verified,
            verb: "find",
            itemClass: ItemClass.genericPassword.rawValue,
            group: group,
            itemDigest: [1, 2, 3, 4, 5, 6, 7, 8],
            status: status,
            rule: "policy"
        )
    }
}

extension AuditLog {
    /// Every line, from the first on.
    func everything() throws -> [LogLine] { try lines(after: nil, limit: .max).lines }

    /// The same, so many at a time, and the position behind the last one.
    func inPages(of size: Int) throws -> ([LogLine], LogPosition?) {
        var lines: [LogLine] = []
        var position: LogPosition?
        while true {
            let (page, next) = try self.lines(after: position, limit: size)
            guard !page.isEmpty else { return (lines, position) }
            lines += page
            position = next
        }
    }

    func append(_ count: Int) { for number in 0..<count { append(.find(number)) } }

    func appendSoon(_ count: Int) { for number in 0..<count { appendSoon(.find(number)) } }
}
