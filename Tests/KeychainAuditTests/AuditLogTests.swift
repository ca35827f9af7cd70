import CallerEvidence
import Foundation
import KeychainMessages
import KeychainModel
import Secrets
import Synchronization
import TestSupport
import Testing

@testable import KeychainAudit

@Suite(.requirement("DMN-13")) struct `A log` {
    private let place = LogPlace()

    @Test func `returns its lines as they were appended, behind the one that begins it`() throws {
        let log = try place.open()
        log.append(.find(1))
        log.append(.find(2, status: -34018))
        let lines = try log.everything()
        #expect(lines.map(\.verb) == ["log-begun", "find", "find"])
        #expect(lines.dropFirst() == [.find(1), .find(2, status: -34018)])
    }

    @Test func `has lines that wait as soon as it is read, in front of later ones`() throws {
        let log = try place.open()
        log.appendSoon(.find(1))
        log.appendSoon(.find(2))
        log.append(.find(3))
        log.appendSoon(.find(4))
        let lines = try log.everything()
        #expect(lines.dropFirst() == [.find(1), .find(2), .find(3), .find(4)])
        #expect(try log.verify() == LogVerdict(soundCount: 5, faults: []))
    }

    @Test func `writes lines that wait once, when it is told to`() throws {
        let log = try place.open()
        log.appendSoon(.find(1))
        #expect(try place.text(place.files[0]).contains("find") == false)
        let wereWaiting = [log.writeWaiting(), log.writeWaiting()]
        #expect(wereWaiting == [true, false])
        #expect(try place.text(place.files[0]).contains("find"))
    }

    @Test func `writes lines that wait when it is closed`() throws {
        try place.withLog { log in
            log.appendSoon(.find(1))
            log.close()
        }
        #expect(try place.open().everything().dropFirst() == [.find(1)])
    }

    @Test func `can be opened as soon as it is closed, whoever still has it`() throws {
        let log = try place.open()
        log.append(.find(1))
        log.close()
        #expect(try place.open().everything().dropFirst() == [.find(1)])
        withExtendedLifetime(log) {}
    }

    @Test func `waits for no disk when it is opened, if all of it was durable`() throws {
        try place.withLog { log in
            log.append(.find(1))
            log.close()
        }
        // Whoever makes lines durable writes the head.
        try place.age("head")
        let log = try place.open()
        #expect(try place.age(of: "head") == LogPlace.oldAge)
        log.append(.find(2))
        #expect(!log.isDurable)
        log.synchronize()
        #expect(log.isDurable)
        #expect(try place.age(of: "head") != LogPlace.oldAge)
    }

    @Test(arguments: [UInt8(7), 8])
    func `knows its key`(key: UInt8) throws {
        let other = SharedSecret(Secret(copying: [UInt8](repeating: key, count: 32)))
        #expect(try place.open().hasKey(other) == (key == 7))
    }

    @Test func `lets no more than so many lines wait`() throws {
        let log = try place.open(fileByteCount: 1 << 20)
        log.appendSoon(512)
        #expect(try place.text(place.files[0]).split(separator: "\n").count == 514)
    }

    @Test func `names the item of a line that waited as it would have at once`() throws {
        let log = try place.open()
        let dictionary: AttributeDictionary = [
            Attribute.service.rawValue: .string("mail"),
            Attribute.account.rawValue: .string("alice"),
        ]
        log.appendSoon(
            LogLine(time: 1, program: "/p", level: .observed, verb: "find", status: 0),
            naming: NamedItem(.genericPassword, dictionary)
        )
        let digest = log.itemDigest(.genericPassword, dictionary)
        #expect(digest.count == AuditLog.itemDigestByteCount)
        #expect(try log.everything().last?.itemDigest == digest)
    }

    @Test func `can be read with cat`() throws {
        let log = try place.open()
        log.append(.find())
        let text = try place.text(place.files[0])
        let line = try #require(text.split(separator: "\n").last)
        let fields = line.split(separator: "\t")
        #expect(
            fields.dropLast() == [
                "2", "2026-09-21T14:13:20Z", "verified", "/usr/bin/mailer", "find",
                ItemClass.genericPassword.rawValue[...], "mail",
                "0102030405060708", "0", "policy",
            ]
        )
    }

    @Test func `pages through its lines, over several files`() throws {
        let log = try place.open()
        log.append(100)
        let (lines, position) = try log.inPages(of: 7)
        #expect(place.files.count > 2)
        #expect(lines.count == 101)
        #expect(position == log.last)
        let everything = try log.everything()
        #expect(lines == everything)
    }

    @Test func `goes on where it ended`() throws {
        try place.withLog { log in
            log.append(30)
            log.close()
        }
        let reopened = try place.open()
        reopened.append(.find(99))
        #expect(try reopened.everything().count == 32)
        #expect(try reopened.verify() == LogVerdict(soundCount: 32, faults: []))
    }

    @Test func `is one process's at a time`() throws {
        let log = try place.open()
        #expect(throws: KeychainError(.notAvailable, "")) { try place.open() }
        withExtendedLifetime(log) {}
    }

    @Test func `keeps so many files, and says that it begins with a later line`() throws {
        let log = try place.open(fileByteCount: 1024, fileCount: 3)
        log.append(100)
        log.synchronize()
        #expect(place.files.count == 3)
        let lines = try log.everything()
        #expect(lines.last == .find(99))
        #expect(lines.count < 40)
        #expect(try log.verify() == LogVerdict(soundCount: UInt64(lines.count), faults: []))
    }

    @Test func `refuses a directory that others can reach`() throws {
        try FileManager.default.createDirectory(
            atPath: place.directory,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o755]
        )
        #expect(throws: KeychainError(.notAvailable, "")) { try place.open() }
    }

    @Test func `refuses a directory that is a symbolic link`() throws {
        let other = LogPlace()
        try other.open().close()
        try FileManager.default.createSymbolicLink(
            atPath: place.directory,
            withDestinationPath: other.directory
        )
        #expect(throws: KeychainError.self) { try place.open() }
    }

    @Test func `tells the journal neither group nor item`() throws {
        let heard = Mutex<[String]>([])
        let log = try place.open { line in heard.withLock { $0.append(line) } }
        log.append(.find(status: -34018))
        #expect(heard.withLock { $0 } == ["denied /usr/bin/mailer (verified) find genp -34018"])
    }

    @Test(.requirement("HRD-13"))
    func `tells the journal a path that nobody takes for more`() throws {
        let heard = Mutex<[String]>([])
        let log = try place.open { line in heard.withLock { $0.append(line) } }
        var line = LogLine.find(status: -34018)
        line.program = "/x (verified) find genp 0\nallowed /usr/bin/a"
        line.level = .nobody
        log.append(line)
        let path = #""/x (verified) find genp 0\u{a}allowed /usr/bin/a""#
        #expect(heard.withLock { $0 } == ["denied \(path) (nobody) find genp -34018"])
    }

    @Test func `takes lines from many threads`() throws {
        let log = try place.open(fileByteCount: 1 << 20)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            log.append(200)
            log.synchronize()
        }
        #expect(try log.verify() == LogVerdict(soundCount: 1601, faults: []))
    }
}
