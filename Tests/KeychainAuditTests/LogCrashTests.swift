import Foundation
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainAudit

@Suite(.requirement("DMN-13", "DMN-15")) struct `A log after a crash` {
    private let place = LogPlace()

    /// Ten durable lines, then five behind the head, as a process leaves them that is killed.
    private func crash() throws {
        try place.withLog { log in
            log.append(9)
            log.synchronize()
            log.append(5)
        }
    }

    @Test func `has the lines behind the head`() throws {
        try crash()
        let log = try place.open()
        #expect(try log.everything().count == 15)
        #expect(try log.verify() == LogVerdict(soundCount: 15, faults: []))
    }

    @Test(arguments: [1, 2, 40, 180, 181])
    func `calls bytes behind the head unfinished, wherever they end`(byteCount: Int) throws {
        try crash()
        try place.edit(place.files[0]) { String($0.dropLast(byteCount)) }
        let log = try place.open()
        log.append(.find(77))
        let lines = try log.everything()
        let event = lines.dropLast().last
        #expect(event?.verb == "log-unfinished" || byteCount == 0)
        #expect(lines.last == .find(77))
        #expect(try log.verify().faults == [])
    }

    @Test func `calls zeros behind the head unfinished`() throws {
        try crash()
        try place.edit(place.files[0]) { $0 + String(repeating: "\0", count: 4096) }
        let log = try place.open()
        #expect(try log.everything().last?.rule == "4096 bytes of unfinished lines")
        #expect(try log.verify().faults == [])
    }

    /// Such a line has the right form and number.
    @Test func `takes no line behind the head whose code another one wrote`() throws {
        try crash()
        try place.edit(place.files[0]) { $0.replacing("\n13\t2026", with: "\n13\t2025") }
        let log = try place.open()
        let lines = try log.everything()
        #expect(lines.count == 13)
        #expect(lines.last?.verb == "log-unfinished")
        #expect(try log.verify().faults == [])
    }

    @Test func `drops a file behind the head that does not follow`() throws {
        try place.withLog { log in
            log.append(3)
            log.synchronize()
            log.append(100)
        }
        #expect(place.files.count > 2)
        try place.edit(place.files[1]) { String($0.dropLast(300)) }
        let log = try place.open()
        log.append(.find(77))
        #expect(place.files.count == 2)
        #expect(try log.verify().faults == [])
        #expect(try log.everything().last == .find(77))
    }

    @Test func `begins anew after a crash before its first head`() throws {
        try place.withLog { $0.append(.find()) }
        try place.replace("head", with: "")
        let first = place.files[0]
        try place.edit(first) { text in
            text.split(separator: "\n").prefix(2).joined(separator: "\n") + "\n"
        }
        let log = try place.open()
        #expect(try log.verify() == LogVerdict(soundCount: 1, faults: []))
    }

    @Test func `tells a cut below the head from a crash`() throws {
        try place.withLog { log in
            log.append(9)
            log.close()
        }
        try place.edit(place.files[0]) { String($0.dropLast(20)) }
        let log = try place.open()
        #expect(try log.verify().faults.contains { $0.hasSuffix("line 10 was cut short") })
    }
}

@Suite(.requirement("DMN-13")) struct `A log that cannot be written` {
    private let place = LogPlace()

    /// A directory of the same name in the place of the next file: even root cannot write it.
    private func block(_ log: AuditLog) throws -> String {
        // A file is full after the first line that reaches this size.
        let next = LogFolder.name(first: log.last.lineNumber + 1)
        try FileManager.default.createDirectory(
            atPath: place.path(next),
            withIntermediateDirectories: false
        )
        return place.path(next)
    }

    @Test func `counts the lines that it loses, and says so afterwards`() throws {
        let log = try place.open(fileByteCount: 1)
        let blocked = try block(log)
        log.append(5)
        #expect(place.notes.count == 1)
        #expect(place.notes[0].hasSuffix("cannot be written: lines are lost"))
        try FileManager.default.removeItem(atPath: blocked)
        log.append(.find(77))
        let lines = try log.everything()
        #expect(lines.map(\.verb) == ["log-begun", "log-lost", "find"])
        #expect(lines[1].rule == "5 lines were lost")
        #expect(try log.verify().faults == [])
    }

    @Test(.enabled(if: SmallDisk.isPossible, "needs root, to mount a small disk"))
    func `goes on when a full disk has room again`() throws {
        let disk = try SmallDisk(place)
        let log = try place.open()
        try disk.fill()
        log.append(100)
        log.synchronize()
        #expect(place.notes.contains { $0.hasSuffix("cannot be written: lines are lost") })
        #expect(try log.verify().faults == [])
        let kept = try log.everything().count
        try disk.makeRoom()
        log.append(.find(77))
        let lines = try log.everything()
        #expect(lines[kept].rule == "\(101 - kept) lines were lost")
        #expect(lines.last == .find(77))
        log.close()
        #expect(try log.verify().faults == [])
        withExtendedLifetime(disk) {}
    }
}
