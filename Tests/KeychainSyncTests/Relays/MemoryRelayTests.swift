import KeychainSync
import Testing

@testable import SyncRelay

/// What a test can do to the network between a device and the server.
@Suite("A relay in memory") struct MemoryRelayTests {
    let server = MemoryRelayServer()
    let account = AccountName(unchecked: [UInt8](repeating: 7, count: 16))
    let stream = RelayStage.name(1)
    let writer: MemoryRelay
    let reader: MemoryRelay

    init() throws {
        writer = try MemoryRelay(server, account)
        reader = try MemoryRelay(server, account)
        try writer.append(contentsOf: entries(0..<3), to: stream, at: 0)
    }

    @Test func `shows what is delayed when its time has come`() throws {
        reader.network.delay = .seconds(5)
        #expect(try reader.streams() == [:])
        #expect(try writer.streams() == [stream: 0..<3])
        let wait = Errand { [reader] in try reader.waitForChange(upTo: .seconds(9)) }
        server.advance(by: .seconds(4))
        #expect(try reader.all(stream) == [])
        server.advance(by: .seconds(1))
        #expect(try wait.value())
        #expect(try reader.all(stream) == entries(0..<3))
    }

    @Test func `ends a wait when the test lets time pass`() throws {
        #expect(try reader.streams() == [stream: 0..<3])
        let wait = Errand { [reader] in try reader.waitForChange(upTo: .seconds(9)) }
        while !wait.isOver { server.advance(by: .seconds(1)) }
        #expect(try !wait.value())
    }

    @Test func `withholds entries from one device`() throws {
        reader.network.withheld[stream] = 1
        #expect(try reader.all(stream) == entries(0..<1))
        #expect(try writer.all(stream) == entries(0..<3))
    }

    @Test func `shows one device something else`() throws {
        reader.network.disguised[EntryPlace(stream, 1)] = entry(9)
        #expect(try reader.all(stream) == [entry(0), entry(9), entry(2)])
        #expect(try writer.all(stream) == entries(0..<3))
    }

    @Test func `takes an entry whose writer hears nothing of it`() throws {
        writer.network.losesAnswers = true
        let stream = stream
        let failure = writer.failure { relay throws(RelayError) in
            try relay.append(entry(3), to: stream, at: 3)
        }
        #expect(failure == .unreachable("the answer was lost"))
        writer.network.losesAnswers = false
        try writer.append(entry(3), to: stream, at: 3)
        #expect(try reader.all(stream) == entries(0..<4))
    }

    @Test func `forgets and replaces as a bad server does`() throws {
        server.replace(EntryPlace(stream, 0), of: account, with: entry(9))
        server.forget(stream, of: account, from: 2)
        #expect(try reader.all(stream) == [entry(9), entry(1)])
    }

    @Test func `delays, hides and forgets links`() throws {
        let links = try (0..<3 as Range<UInt64>).map { try TestLink($0, boxes: [1]) }
        for link in links { try link.put(to: writer) }
        reader.network.delay = .seconds(5)
        #expect(try reader.links() == [])
        #expect(try reader.boxes(at: links[0].boxesPlace) == nil)
        #expect(try writer.links() == links.map(\.place))
        server.advance(by: .seconds(5))
        reader.network.hiddenLinks = [links[1].place]
        #expect(try reader.allLinks() == [links[0], links[2]].byPlace)
        #expect(try reader.link(at: links[1].place) == nil)
        server.forgetLinks(of: account) { $0.number == 2 }
        #expect(try writer.links() == links.dropLast().map(\.place))
    }

    @Test func `shows garbage that a bad server has, and nobody reads it`() throws {
        let link = try TestLink(4)
        server.plant([1, 2, 3], at: link.place, of: account)
        #expect(try reader.links() == [link.place])
        #expect(try reader.link(at: link.place) == nil)
        try link.put(to: writer)
        #expect(try reader.link(at: link.place) == link.bytes)
    }

    @Test func `takes a link whose writer hears nothing of it`() throws {
        let link = try TestLink(4, boxes: [1])
        writer.network.losesAnswers = true
        #expect(throws: RelayError.unreachable("the answer was lost")) { try link.put(to: writer) }
        writer.network.losesAnswers = false
        try link.put(to: writer)
        #expect(try reader.link(at: link.place) == link.bytes)
    }
}
