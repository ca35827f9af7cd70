import Foundation
import KeychainMessages
import KeychainModel
import TestSupport
import Testing

@testable import KeychainAudit

/// What somebody who may write the files, and has no key, does to them while nobody has them open.
private struct Tampering: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// Part of the sentence that tells it.
    let told: String
    let act: @Sendable (LogPlace) throws -> Void

    init(
        _ description: String,
        told: String,
        _ act: @escaping @Sendable (LogPlace) throws -> Void
    ) {
        testDescription = description
        self.told = told
        self.act = act
    }
}

private let tamperings = [
    Tampering("a line is altered", told: "line 3 was changed") { place in
        try place.edit(place.files[0]) { $0.replacing("\n3\t2026", with: "\n3\t2025") }
    },
    Tampering("a denied line is made an allowed one", told: "was changed") { place in
        try place.edit(place.files[0]) { $0.replacing("\t-34018\t", with: "\t0\t") }
    },
    Tampering("a line is removed", told: "line 3 is missing") { place in
        try place.edit(place.files[0]) { text in
            text.split(separator: "\n").filter { !$0.hasPrefix("3\t") }.joined(separator: "\n")
                + "\n"
        }
    },
    Tampering("two lines change places", told: "line 3 is out of place") { place in
        try place.edit(place.files[0]) { text in
            var lines = text.split(separator: "\n")
            lines.swapAt(3, 4)
            return lines.joined(separator: "\n") + "\n"
        }
    },
    Tampering("a line is repeated", told: "line 3 is out of place") { place in
        try place.edit(place.files[0]) { text in
            var lines = text.split(separator: "\n")
            lines.insert(lines[3], at: 4)
            return lines.joined(separator: "\n") + "\n"
        }
    },
    Tampering("the last lines are cut off", told: "are missing") { place in
        let newest = try #require(place.files.last)
        try place.edit(newest) { text in
            text.split(separator: "\n").dropLast(3).joined(separator: "\n") + "\n"
        }
    },
    Tampering("the newest file is removed", told: "are missing") { place in
        let newest = try #require(place.files.last)
        try FileManager.default.removeItem(atPath: place.path(newest))
    },
    Tampering("a file in the middle is removed", told: "are missing") { place in
        try FileManager.default.removeItem(atPath: place.path(place.files[1]))
    },
    Tampering("the oldest file is removed", told: "lines 1 to") { place in
        try FileManager.default.removeItem(atPath: place.path(place.files[0]))
    },
    Tampering("every file is removed", told: "every file is missing") { place in
        for name in place.files { try FileManager.default.removeItem(atPath: place.path(name)) }
    },
    Tampering("a header is altered", told: "the header was changed") { place in
        try place.edit(place.files[1]) { $0.replacing("keychain-log\t1", with: "keychain-log\t2") }
    },
    Tampering("the head is altered", told: "the head was changed") { place in
        try place.edit("head") {
            $0.replacing("keychain-log-head\t1\t0", with: "keychain-log-head\t1\t1")
        }
    },
    Tampering("the head is removed", told: "the head is missing") { place in
        try FileManager.default.removeItem(atPath: place.path("head"))
    },
    Tampering("the head is emptied", told: "the head is missing") { place in
        try place.replace("head", with: "")
    },
    Tampering("the head and the last file are removed", told: "the head is missing") { place in
        try FileManager.default.removeItem(atPath: place.path("head"))
        try FileManager.default.removeItem(atPath: place.path(try #require(place.files.last)))
    },
    Tampering("a file is filled with other bytes", told: "was changed") { place in
        try place.replace(place.files[1], with: String(repeating: "x\n", count: 500))
    },
    Tampering("a line without an end is put in", told: "the header was changed") { place in
        try place.replace(place.files[0], with: String(repeating: "y", count: 5000))
    },
]

@Suite(.requirement("DMN-13")) struct `Somebody without the key` {
    private let place = LogPlace()

    /// A log of several files, closed.
    private func fill() throws {
        try place.withLog { log in
            log.append(.find(1, status: -34018))
            log.append(60)
            log.close()
        }
    }

    @Test(arguments: tamperings)
    fileprivate func `is noticed, and the log goes on`(tampering: Tampering) throws {
        try fill()
        try tampering.act(place)
        let log = try place.open()
        log.append(.find(77))
        let verdict = try log.verify()
        #expect(verdict.faults.contains { $0.contains(tampering.told) }, "\(verdict.faults)")
        #expect(try log.everything().last == .find(77))
    }

    @Test(arguments: tamperings)
    fileprivate func `is noticed after the log was opened once more`(tampering: Tampering) throws {
        try fill()
        try tampering.act(place)
        try place.withLog { $0.close() }
        let verdict = try place.withLog { try $0.verify() }
        #expect(verdict.faults.contains { $0.contains(tampering.told) }, "\(verdict.faults)")
    }

    @Test(arguments: tamperings.prefix(11))
    fileprivate func `is noticed while the log is open`(tampering: Tampering) throws {
        let log = try place.open()
        log.append(.find(1, status: -34018))
        log.append(60)
        log.synchronize()
        #expect(try log.verify().faults == [])
        try tampering.act(place)
        #expect(try log.verify().faults != [])
    }

    @Test func `cannot write a line for another key`() throws {
        try fill()
        let log = try place.open(key: 8)
        #expect(try log.verify().faults != [])
    }

    /// What the specification says plainly: a whole earlier state is not told from a present one.
    @Test func `can put the whole directory back as it was, head included`() throws {
        try fill()
        let names = place.files + ["head"]
        let copies = try names.map { ($0, try place.text($0)) }
        try place.withLog { log in
            log.append(.find(1))
            log.close()
        }
        try copies.forEach { try place.replace($0.0, with: $0.1) }
        let verdict = try place.withLog { try $0.verify() }
        #expect(verdict.faults == [])
    }
}
