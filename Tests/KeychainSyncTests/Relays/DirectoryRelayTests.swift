import Foundation
import Glibc
import KeychainSync
import Testing

@testable import SyncRelay

/// What a directory holds that no peer put there, and what it does not hold yet.
///
/// - Source: Documentation/Spec/relays.md §2.
@Suite("A directory") struct DirectoryRelayTests {
    let stage: RelayStage
    let relay: DirectoryRelay
    let files = FileManager.default

    init() throws {
        stage = try RelayStage(.directory)
        relay = try DirectoryRelay(stage.path, stage.account)
        try relay.append(contentsOf: entries(0..<4), to: stage.stream, at: 0)
    }

    private var accountPath: String { stage.path + "/" + stage.account.hexadecimal }
    private var streamPath: String { accountPath + "/" + stage.stream.hexadecimal }

    private func path(_ number: UInt64) -> String {
        streamPath + "/" + EntryFile.name(of: number)
    }

    private func content(_ number: UInt64) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path(number))))
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func `has the files that its page describes`() throws {
        let names = try files.contentsOfDirectory(atPath: streamPath).sorted()
        #expect(names == (0..<4).map { "0000000000000000000\($0).entry" })
        let digest = try SyncDigest(of: entry(2)).bytes
        #expect(try content(2) == Array("KSYF".utf8) + [0, 0, 0, 3] + digest + entry(2))
        let mark = try String(contentsOfFile: stage.path + "/keychain-sync-relay", encoding: .utf8)
        #expect(mark == "2\n")
    }

    @Test func `is closed to others`() throws {
        let modes = try [stage.path, accountPath, streamPath, path(0)].map {
            try files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o700, 0o700, 0o600])
    }

    @Test func `shows entries when those before them have arrived`() throws {
        let held = try [0, 1, 2].map { try content($0) }
        try (0..<3).forEach { try files.removeItem(atPath: path($0)) }
        #expect(try relay.streams() == [:])
        try write(held[2], to: path(2))
        try write(held[0], to: path(0))
        #expect(try relay.streams() == [stage.stream: 0..<1])
        #expect(try relay.entries(of: stage.stream, from: 2, byteCountLimit: 9) == [])
        let wait = Errand { [relay] in try relay.waitForChange(upTo: RelayKind.patience) }
        try write(held[1], to: path(1))
        #expect(try wait.value())
        #expect(try relay.all(stage.stream) == entries(0..<4))
    }

    @Test func `shows nothing of a stream whose first entries are on their way`() throws {
        try write([], to: streamPath + "/" + EntryFile.name(ofFirst: 5))
        #expect(try relay.streams() == [:])
        let stream = stage.stream
        let failure = relay.failure { relay throws(RelayError) in
            try relay.append([1], to: stream, at: 9)
        }
        #expect(failure == .gap(stream, 9))
    }

    @Test func `does not show what is left below the first entry`() throws {
        let old = try content(1)
        try relay.trim(stage.stream, below: 2)
        try write(old, to: path(1))
        #expect(try relay.streams() == [stage.stream: 2..<4])
        #expect(try relay.entries(of: stage.stream, from: 1, byteCountLimit: 9) == [])
        try relay.trim(stage.stream, below: 3)
        let names = try files.contentsOfDirectory(atPath: streamPath).sorted()
        #expect(names == ["00000000000000000003.entry", "00000000000000000003.first"])
    }

    static let strangers = [
        "00000000000000000004.sync-conflict-20261124-010203-ABCDEFG.entry",
        "00000000000000000004.entry~", ".00000000000000000004.entry.swp", "4.entry",
        ".syncthing.00000000000000000004.entry.tmp", "+0000000000000000004.entry",
        "99999999999999999999.entry", "00000000000000000004.ENTRY", ".git",
        "00000000000000000004.entry\n",
    ]

    @Test(arguments: strangers)
    func `ignores a file of somebody else, and tells of it`(name: String) throws {
        try write(try content(3), to: streamPath + "/" + name)
        #expect(try relay.streams() == [stage.stream: 0..<4])
        let stream = stage.stream.hexadecimal
        let told = "\(stage.account.hexadecimal)/\(stream)/\(name)"
        #expect(try relay.foreignPaths() == [told])
    }

    @Test func `ignores directories of somebody else`() throws {
        let upper = accountPath + "/" + RelayStage.name(0xAB).hexadecimal.uppercased()
        let names = [stage.path + "/.stfolder", accountPath + "/.git", upper, path(4)]
        try names.forEach {
            try files.createDirectory(atPath: $0, withIntermediateDirectories: false)
        }
        try write([1], to: accountPath + "/" + stage.other.hexadecimal)
        #expect(try relay.streams() == [stage.stream: 0..<4])
        #expect(try relay.foreignPaths().count == 4)
    }

    @Test func `follows no link`() throws {
        let outside = stage.path + "/outside"
        try files.moveItem(atPath: path(2), toPath: outside)
        try files.createSymbolicLink(atPath: path(2), withDestinationPath: outside)
        let link = accountPath + "/" + stage.other.hexadecimal
        try files.createSymbolicLink(atPath: link, withDestinationPath: streamPath)
        #expect(try relay.streams() == [stage.stream: 0..<2])
        let (stream, other) = (stage.stream, stage.other)
        let failures = [(stream, 2), (other, 0)].map { place in
            relay.failure { relay throws(RelayError) in
                try relay.append([1], to: place.0, at: place.1)
            }
        }
        #expect(failures.allSatisfy { $0.isDamaged })
        #expect(try Data(contentsOf: URL(filePath: outside)).count == 43)
    }

    @Test(arguments: [0, 3, 4, 39, 40, 42])
    func `waits for the rest of a file that is being copied`(byteCount: Int) throws {
        let whole = try content(2)
        try write(Array(whole.prefix(byteCount)), to: path(2))
        #expect(try relay.all(stage.stream) == entries(0..<2))
        #expect(try relay.entries(of: stage.stream, from: 2, byteCountLimit: 9) == [])
        try write(whole, to: path(2))
        #expect(try relay.all(stage.stream) == entries(0..<4))
    }

    @Test(arguments: [0, 3, 4, 39, 40, 42])
    func `writes again what a stick that was pulled has not whole`(byteCount: Int) throws {
        let whole = try content(3)
        try write(Array(whole.prefix(byteCount)), to: path(3))
        try stage.relay().append(entry(3), to: stage.stream, at: 3)
        #expect(try content(3) == whole)
        #expect(try relay.all(stage.stream) == entries(0..<4))
    }

    @Test func `does not write over the beginning of something else`() throws {
        let other = Array(try content(2).prefix(41))
        try write(other, to: path(3))
        let stream = stage.stream
        let failure = relay.failure { relay throws(RelayError) in
            try relay.append(entry(3), to: stream, at: 3)
        }
        #expect(failure.isDamaged)
        #expect(try content(3) == other)
    }

    @Test(arguments: [0, 4, 8, 39, 42])
    func `tells a file that was changed`(place: Int) throws {
        var bytes = try content(2)
        bytes[place] ^= 0x80
        if place == 4 { bytes[place] = 0; bytes.append(0) }
        try write(bytes, to: path(2))
        #expect(try relay.entries(of: stage.stream, from: 0, byteCountLimit: 9) == entries(0..<2))
        let stream = stage.stream
        let reading = relay.failure { relay throws(RelayError) in
            _ = try relay.entries(of: stream, from: 2, byteCountLimit: 9)
        }
        #expect(reading.isDamaged)
        let writing = relay.failure { relay throws(RelayError) in
            try relay.append(entry(2), to: stream, at: 2)
        }
        #expect(writing.isDamaged)
        #expect(try content(2) == bytes)
    }

    @Test func `is out of reach where nothing is mounted`() throws {
        unlink(stage.path + "/keychain-sync-relay")
        let stream = stage.stream
        let failures = [
            relay.failure { relay throws(RelayError) in _ = try relay.streams() },
            relay.failure { relay throws(RelayError) in
                try relay.append([1], to: stream, at: 4)
            },
            relay.failure { relay throws(RelayError) in
                _ = try relay.waitForChange(upTo: .zero)
            },
        ]
        #expect(failures.allSatisfy { $0?.words.contains("not mounted") == true })
    }

    @Test func `is not used by a version that does not know its files`() throws {
        try write(Array("3\n".utf8), to: stage.path + "/keychain-sync-relay")
        let failure = relay.failure { relay throws(RelayError) in try relay.prepare() }
        #expect(failure?.words.contains("another version") == true)
    }

    @Test func `is no file`() throws {
        let path = stage.path + "/keychain-sync-relay"
        let file = try DirectoryRelay(path, stage.account)
        let failure = file.failure { relay throws(RelayError) in try relay.prepare() }
        #expect(failure == .refused("\(path) is no directory"))
    }

    @Test func `knows its version with the line end of another system`() throws {
        try write(Array("2\r\n".utf8), to: stage.path + "/keychain-sync-relay")
        try relay.prepare()
        #expect(try relay.streams() == [stage.stream: 0..<4])
    }

    @Test func `loses what a killed process left`() throws {
        let left = streamPath + "/" + EntryFile.unfinishedName(7)
        try write([1], to: left)
        #expect(try relay.foreignPaths() == [])
        try stage.relay().append(entry(4), to: stage.stream, at: 4)
        #expect(!files.fileExists(atPath: left))
    }

    @Test func `is looked at again and again where no events come`() throws {
        let watch = DirectoryWatch(usesEvents: false)
        let all = StreamFolder.Naming.allCases
        let blind = try DirectoryRelay(stage.path, stage.account, all, watch: watch)
        #expect(try blind.streams() == [stage.stream: 0..<4])
        let wait = Errand { try blind.waitForChange(upTo: RelayKind.patience) }
        try relay.append(entry(4), to: stage.stream, at: 4)
        #expect(try wait.value())
    }
}

extension RelayError? {
    fileprivate var isDamaged: Bool { if case .damaged = self { true } else { false } }
}
