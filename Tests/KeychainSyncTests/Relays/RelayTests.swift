import Foundation
import Glibc
import KeychainSync
import Synchronization
import Testing

@testable import SyncRelay

/// What every relay promises, tried with each that can be had here.
///
/// - Source: Documentation/Spec/relays.md §1.
@Suite("A relay", .serialized) struct RelayTests {
    @Test(arguments: RelayKind.present)
    func `shows entries in their order to everybody`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let (relay, reader) = (try stage.relay(), try stage.relay())
        #expect(try reader.streams() == [:])
        #expect(try reader.all(stage.stream) == [])
        try append(0..<5, to: stage.stream, of: relay)
        try append(7..<9, to: stage.other, of: relay)
        #expect(try reader.streams() == [stage.stream: 0..<5, stage.other: 7..<9])
        #expect(try reader.all(stage.stream) == entries(0..<5))
        #expect(try reader.all(stage.other) == entries(7..<9))
        let last = try reader.entries(of: stage.stream, from: 3, byteCountLimit: 99)
        #expect(last == entries(3..<5))
        #expect(try reader.entries(of: stage.stream, from: 5, byteCountLimit: 99) == [])
        #expect(try reader.entries(of: stage.other, from: 0, byteCountLimit: 99) == [])
    }

    @Test(arguments: RelayKind.present)
    func `takes an entry twice`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let (relay, again) = (try stage.relay(), try stage.relay())
        try append(0..<3, to: stage.stream, of: relay)
        try append(0..<3, to: stage.stream, of: relay)
        try append(0..<3, to: stage.stream, of: again)
        #expect(try relay.streams() == [stage.stream: 0..<3])
    }

    @Test(arguments: RelayKind.present)
    func `keeps the entry that came first`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let (relay, later) = (try stage.relay(), try stage.relay())
        try append(0..<3, to: stage.stream, of: relay)
        let (stream, changed) = (stage.stream, entry(8))
        let failure = later.failure { relay throws(RelayError) in
            try relay.append(changed, to: stream, at: 1)
        }
        #expect(failure == .occupied(stage.stream, 1))
        #expect(try relay.all(stage.stream) == entries(0..<3))
    }

    @Test(arguments: RelayKind.present)
    func `takes no entry that leaves a gap`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        try append(4..<6, to: stage.stream, of: relay)
        let stream = stage.stream
        let failures = [0, 3, 7, 900].map { (number: UInt64) in
            relay.failure { relay throws(RelayError) in
                try relay.append([1], to: stream, at: number)
            }
        }
        #expect(failures == [0, 3, 7, 900].map { .gap(stream, $0) })
        #expect(try relay.streams() == [stage.stream: 4..<6])
    }

    @Test(arguments: RelayKind.different)
    func `takes many entries at once`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        let stream = stage.stream
        try relay.append(contentsOf: entries(0..<150), to: stream, at: 0)
        try relay.append(contentsOf: entries(140..<160), to: stream, at: 140)
        try relay.append(contentsOf: [], to: stream, at: 160)
        #expect(try relay.all(stream) == entries(0..<160))
        let changed = entries(158..<160) + entries(900..<903)
        let occupied = relay.failure { relay throws(RelayError) in
            try relay.append(contentsOf: [changed[0], changed[3]], to: stream, at: 158)
        }
        #expect(occupied == .occupied(stream, 159))
        let gap = relay.failure { relay throws(RelayError) in
            try relay.append(contentsOf: changed, to: stream, at: 170)
        }
        #expect(gap == .gap(stream, 170))
        #expect(try relay.all(stream) == entries(0..<160))
    }

    @Test(arguments: RelayKind.present)
    func `returns no more bytes than a reader asks for`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        let kept = entries(0..<4, byteCount: 100)
        try relay.append(contentsOf: kept, to: stage.stream, at: 0)
        let counts = try [-1, 0, 1, 100, 101, 200, 201, 9999].map {
            try relay.entries(of: stage.stream, from: 0, byteCountLimit: $0).count
        }
        #expect(counts == [1, 1, 1, 1, 2, 2, 3, 4])
    }

    @Test(arguments: RelayKind.present)
    func `forgets what is trimmed, and never the last entry`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let (relay, reader) = (try stage.relay(), try stage.relay())
        try append(0..<5, to: stage.stream, of: relay)
        try append(0..<2, to: stage.other, of: relay)
        try relay.trim(stage.stream, below: 3)
        #expect(try reader.streams() == [stage.stream: 3..<5, stage.other: 0..<2])
        #expect(try reader.entries(of: stage.stream, from: 2, byteCountLimit: 99) == [])
        #expect(try reader.all(stage.stream) == entries(3..<5))
        try relay.trim(stage.stream, below: 1)
        try relay.trim(stage.stream, below: .max)
        #expect(try reader.streams()[stage.stream] == 4..<5)
        let stream = stage.stream
        let failure = relay.failure { relay throws(RelayError) in
            try relay.append(entry(2), to: stream, at: 2)
        }
        #expect(failure == .gap(stream, 2))
        try append(5..<7, to: stage.stream, of: relay)
        #expect(try reader.all(stage.stream) == entries(4..<7))
        try relay.trim(RelayStage.name(9), below: 3)
    }

    @Test(arguments: RelayKind.present)
    func `keeps any bytes, and none of them changed`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        let all = (0...255).map { UInt8($0) }
        let kept: [[UInt8]] = [[], [0], all, all.reversed(), Array("'; --\\x00\"".utf8)]
        try relay.append(contentsOf: kept, to: stage.stream, at: 0)
        #expect(try stage.relay().all(stage.stream) == kept)
    }

    @Test(arguments: RelayKind.different)
    func `keeps the greatest entry, and refuses a greater one`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        let limit = relay.entryByteCountLimit
        let stream = stage.stream
        let greatest = [UInt8](repeating: 0xA5, count: limit)
        let failure = relay.failure { relay throws(RelayError) in
            try relay.append(greatest + [1], to: stream, at: 0)
        }
        #expect(failure == .tooLarge(limit: limit))
        #expect(try relay.streams() == [:])
        try relay.append(greatest, to: stream, at: 0)
        #expect(try relay.entries(of: stream, from: 0, byteCountLimit: 1) == [greatest])
    }

    @Test(arguments: RelayKind.present)
    func `knows numbers up to 2^63`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let relay = try stage.relay()
        let last = RelayLimit.number - 2
        try relay.append([1], to: stage.stream, at: last)
        #expect(try relay.streams() == [stage.stream: last..<last + 1])
        #expect(try relay.entries(of: stage.stream, from: last, byteCountLimit: 9) == [[1]])
        #expect(try relay.entries(of: stage.stream, from: .max, byteCountLimit: 9) == [])
        let stream = stage.stream
        let failure = relay.failure { relay throws(RelayError) in
            try relay.append([1], to: stream, at: .max)
        }
        #expect(failure?.words.contains("numbers") == true)
    }

    @Test(arguments: RelayKind.present)
    func `shows an account nothing of another`(kind: RelayKind) throws {
        let (stage, stranger) = (try RelayStage(kind), try RelayStage(kind))
        try append(0..<2, to: stage.stream, of: try stage.relay())
        #expect(try stranger.relay().streams() == [:])
        #expect(try stranger.relay().all(stage.stream) == [])
    }

    @Test(arguments: RelayKind.present)
    func `lets one of two writers win`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let writers = [try stage.relay(), try stage.relay()]
        let stream = stage.stream
        try (0..<5 as Range<UInt64>).forEach { number in
            let errands = writers.enumerated().map { index, relay in
                Errand {
                    relay.failure { relay throws(RelayError) in
                        try relay.append([UInt8(index)], to: stream, at: number)
                    }
                }
            }
            let failures = try errands.map { try $0.value() }
            #expect(failures.contains(nil))
            #expect(failures.contains(.occupied(stream, number)))
            let winner = failures.firstIndex(of: nil).map { UInt8($0) }
            let kept = try writers[0].entries(of: stream, from: number, byteCountLimit: 9)
            #expect(kept == [winner.map { [$0] }])
        }
    }

    @Test(arguments: RelayKind.present)
    func `may be prepared twice`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        try append(0..<2, to: stage.stream, of: try stage.relay())
        try stage.relay().prepare()
        #expect(try stage.relay().all(stage.stream) == entries(0..<2))
    }

    /// Appends one after the other.
    private func append(_ numbers: Range<Int>, to stream: StreamName, of relay: any Relay) throws {
        try numbers.forEach { try relay.append(entry($0), to: stream, at: UInt64($0)) }
    }
}
