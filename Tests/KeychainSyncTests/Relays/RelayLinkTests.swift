import Foundation
import Glibc
import KeychainSync
import Testing

@testable import SyncRelay

extension RelayTests {
    /// The set of links that every relay keeps.
    ///
    /// - Source: Documentation/Spec/relays.md §1.
    @Suite("with links", .serialized) struct Links {
        @Test(arguments: RelayKind.present)
        func `shows links in ascending order, and the boxes of each`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (relay, reader) = (try stage.relay(), try stage.relay())
            #expect(try reader.links() == [])
            let links = try [7, 0, 1 << 40].map { try TestLink($0, boxes: [UInt8($0 & 7), 1]) }
            for link in links { try link.put(to: relay) }
            #expect(try reader.links() == links.map(\.place).sorted())
            #expect(try reader.allLinks() == links.byPlace)
            for link in links {
                #expect(try reader.link(at: link.place) == link.bytes)
                #expect(try reader.boxes(at: link.boxesPlace) == link.boxes)
            }
        }

        @Test(arguments: RelayKind.present)
        func `takes a link twice, by the same device and by another`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (relay, other) = (try stage.relay(), try stage.relay())
            let link = try TestLink(3, boxes: [1, 2, 3])
            for writer in [relay, relay, other] { try link.put(to: writer) }
            #expect(try other.links() == [link.place])
            #expect(try other.boxes(at: link.boxesPlace) == [1, 2, 3])
        }

        @Test(arguments: RelayKind.present)
        func `keeps every link of one number`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            let links = try (0..<5 as Range<UInt8>).map { try TestLink(9, twin: $0) }
            for link in links.reversed() { try link.put(to: relay) }
            #expect(try stage.relay().links() == links.map(\.place).sorted())
            #expect(try stage.relay().allLinks() == links.byPlace)
        }

        @Test(arguments: RelayKind.present)
        func `keeps all links of devices that write at once`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let errands = try (0..<4 as Range<UInt8>).map { writer in
                let relay = try stage.relay()
                return Errand {
                    let own = try (0..<6 as Range<UInt64>).map { try TestLink($0, twin: writer) }
                    let common = try (0..<6 as Range<UInt64>).map { try TestLink($0, twin: 99) }
                    for link in own + common { try link.put(to: relay) }
                    return own + common.filter { _ in writer == 0 }
                }
            }
            let links = try errands.flatMap { try $0.value() }
            #expect(try stage.relay().allLinks() == links.byPlace)
        }

        @Test(arguments: RelayKind.present)
        func `adds boxes to a link that it has`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            try TestLink(3).put(to: relay)
            let whole = try TestLink(3, boxes: [5])
            #expect(try relay.boxes(at: whole.boxesPlace) == nil)
            try whole.put(to: relay)
            #expect(try relay.boxes(at: whole.boxesPlace) == [5])
            #expect(try relay.links() == [whole.place])
        }

        @Test(arguments: RelayKind.present)
        func `finds no link in a place that has none`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            let (kept, missing) = (try TestLink(1, boxes: [1]), try TestLink(2, boxes: [2]))
            try kept.put(to: relay)
            #expect(try relay.links(at: []).isEmpty)
            #expect(try relay.links(at: [missing.place]).isEmpty)
            #expect(try relay.link(at: missing.place) == nil)
            #expect(try relay.boxes(at: missing.boxesPlace) == nil)
            // The digest alone is no place, and boxes are no link.
            let elsewhere = LinkPlace(number: 2, digest: kept.place.digest)
            #expect(try relay.link(at: elsewhere) == nil)
            #expect(try relay.link(at: kept.boxesPlace) == nil)
            let mixed = try relay.links(at: [missing.place, kept.place, elsewhere])
            #expect(mixed.map(\.place) == [kept.place])
        }

        @Test(arguments: RelayKind.different)
        func `returns no more bytes of links than a reader asks for`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            let count = UInt64(2 * RelayLimit.placeCount + 3)
            let links = try (0..<count).map { try TestLink($0, byteCount: 100) }
            for link in links { try link.put(to: relay) }
            let places = try relay.links()
            let counts = try [-1, 1, 100, 101, 6450, .max].map {
                try relay.links(at: places, byteCountLimit: $0).count
            }
            #expect(counts == [1, 1, 1, 2, 65, links.count])
            // A page of places that are not there hides nothing behind it.
            let missing = try (0..<100 as Range<UInt64>).map { try TestLink($0, twin: 7).place }
            let last = try relay.links(at: missing + [links[0].place], byteCountLimit: 1)
            #expect(last.map(\.place) == [links[0].place])
        }

        @Test(arguments: RelayKind.different)
        func `has the limits of its page`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            let boxes = [UInt8](repeating: 7, count: RelayLimit.boxesByteCount)
            let largest = try TestLink(1, byteCount: RelayLimit.linkByteCount, boxes: boxes)
            try largest.put(to: relay)
            #expect(try stage.relay().link(at: largest.place) == largest.bytes)
            #expect(try stage.relay().boxes(at: largest.boxesPlace) == boxes)
            let large = try TestLink(2, byteCount: RelayLimit.linkByteCount + 1)
            #expect(throws: RelayError.tooLarge(limit: 65536)) { try large.put(to: relay) }
            let heavy = try TestLink(2, boxes: boxes + [7])
            #expect(throws: RelayError.tooLarge(limit: 1 << 20)) { try heavy.put(to: relay) }
            let late = try TestLink(RelayLimit.number)
            #expect(throws: RelayError.self) { try late.put(to: relay) }
            try TestLink(RelayLimit.number - 1).put(to: relay)
            #expect(try stage.relay().links().map(\.number) == [1, RelayLimit.number - 1])
        }

        @Test(arguments: RelayKind.different)
        func `takes nothing whose digest is another one`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let relay = try stage.relay()
            let (link, other) = (try TestLink(1), try TestLink(1, twin: 1))
            let failure = relay.failure { relay throws(RelayError) in
                try relay.put(other.bytes, boxes: [1], at: link.place)
            }
            #expect(failure == .damaged("link 1 does not have the digest of its place"))
            #expect(try relay.links() == [])
        }

        @Test(arguments: RelayKind.different)
        func `shows nobody the links of another account`(kind: RelayKind) throws {
            let (stage, stranger) = (try RelayStage(kind), try RelayStage(kind))
            let link = try TestLink(1, boxes: [1])
            try link.put(to: stage.relay())
            let relay = try stranger.relay()
            #expect(try relay.links() == [])
            #expect(try relay.link(at: link.place) == nil)
            #expect(try relay.boxes(at: link.boxesPlace) == nil)
        }

        @Test(arguments: RelayKind.present)
        func `removes a whole stream, and leaves the links and the others`(kind: RelayKind) throws {
            let stage = try RelayStage(kind)
            let (relay, reader) = (try stage.relay(), try stage.relay())
            let link = try TestLink(1)
            try link.put(to: relay)
            try relay.remove(stage.stream)
            try relay.append(contentsOf: entries(3..<9), to: stage.stream, at: 3)
            try relay.append(contentsOf: entries(0..<2), to: stage.other, at: 0)
            try relay.trim(stage.stream, below: 5)
            try reader.remove(stage.stream)
            #expect(try reader.streams() == [stage.other: 0..<2])
            #expect(try reader.entries(of: stage.stream, from: 5, byteCountLimit: 99) == [])
            #expect(try reader.links() == [link.place])
            try reader.append(contentsOf: entries(0..<2), to: stage.stream, at: 0)
            #expect(try relay.streams() == [stage.stream: 0..<2, stage.other: 0..<2])
        }
    }
}

extension RelayTests.Waiting {
    @Test(arguments: RelayKind.different)
    func `wakes who waits when somebody puts a link`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let (writer, reader) = (try stage.relay(), try stage.relay())
        #expect(try reader.links() == [])
        #expect(try reader.streams() == [:])
        let link = try TestLink(0, boxes: [1])
        let wait = Errand { try reader.waitForChange(upTo: RelayKind.patience) }
        try link.put(to: writer)
        #expect(try wait.value())
        #expect(try reader.links() == [link.place])
        #expect(try !reader.waitForChange(upTo: .zero))
    }

    /// What happens between the two listings of a pass.
    @Test(arguments: RelayKind.different, [true, false])
    func `forgets no change between two listings`(kind: RelayKind, isLink: Bool) throws {
        let stage = try RelayStage(kind)
        let (writer, reader) = (try stage.relay(), try stage.relay())
        if isLink { _ = try reader.links() } else { _ = try reader.streams() }
        if isLink {
            try TestLink(0).put(to: writer)
        } else {
            try writer.append([1], to: stage.stream, at: 0)
        }
        if isLink { _ = try reader.streams() } else { _ = try reader.links() }
        #expect(try reader.waitForChange(upTo: RelayKind.patience))
        _ = (try reader.links(), try reader.streams())
        #expect(try !reader.waitForChange(upTo: .zero))
    }

    @Test(arguments: RelayKind.different)
    func `says nothing of links to who never lists them`(kind: RelayKind) throws {
        let stage = try RelayStage(kind)
        let reader = try stage.relay()
        #expect(try reader.streams() == [:])
        try TestLink(0).put(to: stage.relay())
        #expect(try !reader.waitForChange(upTo: .zero))
    }

    @Test(arguments: RelayKind.durable)
    func `has whole links after a writer was killed`(kind: RelayKind) async throws {
        let stage = try RelayStage(kind)
        try stage.leaveNote()
        defer { RelayStage.removeNote() }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            let relay = try RelayStage.noted()
            try putUntilKilled(relay)
        }
        let relay = try stage.relay()
        let places = try relay.links()
        #expect(places.map(\.number) == Array(0..<UInt64(places.count)))
        #expect(places.count >= killedAfter)
        #expect(try relay.allLinks().keys.sorted() == places)
        for place in places {
            let link = try TestLink(place.number, byteCount: 40_000, boxes: boxes)
            #expect(link.place == place)
            #expect(try relay.boxes(at: link.boxesPlace) == boxes)
        }
        // What it may have been in the middle of.
        let next = try TestLink(UInt64(places.count), byteCount: 40_000, boxes: boxes)
        try next.put(to: relay)
        #expect(try relay.links() == places + [next.place])
    }
}

private let killedAfter = 8
private let boxes = [UInt8](repeating: 5, count: 9000)

/// Puts links until another thread, which waits for a few of them, kills the process.
private func putUntilKilled(_ relay: any Relay) throws {
    let isTime = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        isTime.wait()
        kill(getpid(), SIGKILL)
    }
    for number in 0..<100_000 as Range<UInt64> {
        try TestLink(number, byteCount: 40_000, boxes: boxes).put(to: relay)
        if number + 1 == killedAfter { isTime.signal() }
    }
}
