import Foundation
import Glibc
import KeychainSync
import Testing

@testable import SyncRelay

/// What the directory of links has that no device put there, and what it does not have whole.
///
/// - Source: Documentation/Spec/relays.md §2.
@Suite("A directory with links") struct DirectoryLinkTests {
    let stage: RelayStage
    let relay: DirectoryRelay
    let links: [TestLink]
    let files = FileManager.default

    init() throws {
        stage = try RelayStage(.directory)
        relay = try DirectoryRelay(stage.path, stage.account)
        links = try (0..<3 as Range<UInt64>).map { try TestLink($0, boxes: [UInt8($0), 9]) }
        for link in links { try link.put(to: relay) }
    }

    private var accountPath: String { stage.path + "/" + stage.account.hexadecimal }
    private var folderPath: String { accountPath + "/links" }

    private func path(_ link: TestLink) -> String {
        folderPath + "/" + LinkPart.link.fileName(of: link.place)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func `has the files that its page describes`() throws {
        let (place, boxes) = (links[2].place, try links[2].boxesPlace)
        let number = "00000000000000000002"
        let own = "\(folderPath)/\(number)-\(place.digest.hexadecimal).link"
        #expect(Array(try Data(contentsOf: URL(filePath: own))) == links[2].bytes)
        let kept = "\(accountPath)/boxes/\(number)-\(boxes.digest.hexadecimal).boxes"
        #expect(Array(try Data(contentsOf: URL(filePath: kept))) == [2, 9])
        #expect(try relay.foreignPaths() == [])
        let modes = try [folderPath, own, kept].map {
            try files.attributesOfItem(atPath: $0)[.posixPermissions] as? Int
        }
        #expect(modes == [0o700, 0o600, 0o600])
    }

    /// A stick that was pulled, and a program that is still copying.
    @Test(arguments: [0, 1, 199])
    func `waits for the rest of a link, and takes it again`(byteCount: Int) throws {
        try write(Array(links[1].bytes.prefix(byteCount)), to: path(links[1]))
        #expect(try relay.link(at: links[1].place) == nil)
        #expect(try relay.allLinks() == [links[0], links[2]].byPlace)
        try links[1].put(to: stage.relay())
        #expect(try relay.allLinks() == links.byPlace)
    }

    @Test func `takes the boxes again that a pulled stick has not whole`() throws {
        let place = try links[1].boxesPlace
        let path = "\(accountPath)/boxes/\(LinkPart.boxes.fileName(of: place))"
        try write([1], to: path)
        #expect(try relay.boxes(at: place) == nil)
        try links[1].put(to: stage.relay())
        #expect(try relay.boxes(at: place) == [1, 9])
    }

    enum Garbage: String, CaseIterable, Sendable {
        case otherBytes, moreBytes, tooManyBytes, link, dangling, pipe
    }

    @Test(arguments: Garbage.allCases)
    func `is stopped by nothing that is in the place of a link`(garbage: Garbage) throws {
        let (place, own) = (path(links[1]), path(links[2]))
        try files.removeItem(atPath: place)
        switch garbage {
        case .otherBytes: try write(links[0].bytes, to: place)
        case .moreBytes: try write(links[1].bytes + [0], to: place)
        case .tooManyBytes: try write([UInt8](repeating: 1, count: 1 << 20), to: place)
        case .link: try files.createSymbolicLink(atPath: place, withDestinationPath: own)
        case .dangling: try files.createSymbolicLink(atPath: place, withDestinationPath: "/no")
        case .pipe: try #require(mkfifo(place, 0o600) == 0)
        }
        #expect(try relay.allLinks() == [links[0], links[2]].byPlace)
        try links[1].put(to: stage.relay())
        #expect(try relay.allLinks() == links.byPlace)
        #expect(Array(try Data(contentsOf: URL(filePath: own))) == links[2].bytes)
    }

    @Test func `says which directory has the place of a link`() throws {
        try files.removeItem(atPath: path(links[1]))
        try files.createDirectory(atPath: path(links[1]), withIntermediateDirectories: false)
        #expect(try relay.allLinks() == [links[0], links[2]].byPlace)
        let link = links[1]
        let failure = relay.failure { relay throws(RelayError) in
            try relay.put(link.bytes, boxes: nil, at: link.place)
        }
        #expect(failure?.words.contains(path(link)) == true)
    }

    /// Names beside the first link, in the words of programs that copy, and of nobody.
    private static let names: [@Sendable (String) -> String] = [
        { $0.replacing(".link", with: ".sync-conflict-20261124-010203-ABCDEFG.link") },
        { ".syncthing.\($0).tmp" }, { $0 + "~" }, { ".\($0).swp" }, { $0 + "\n" },
        { $0.uppercased() }, { $0.replacing("-", with: "_") }, { String($0.dropFirst()) },
        { "+" + $0.dropFirst() }, { $0.replacing(".link", with: ".boxes") },
        { "99999999999999999999" + $0.dropFirst(20) }, { "0" + $0 },
        { $0.replacing(".link", with: "00.link") }, { _ in "\u{1B}[2J.link" },
        { _ in String(repeating: "9", count: 255) },
    ]

    @Test(arguments: names.indices)
    func `ignores a file of somebody else among the links`(number: Int) throws {
        let name = Self.names[number](LinkPart.link.fileName(of: links[0].place))
        try write(links[0].bytes, to: folderPath + "/" + name)
        #expect(try relay.links() == links.map(\.place))
        #expect(try relay.allLinks() == links.byPlace)
        #expect(
            try relay.foreignPaths() == ["\(stage.account.hexadecimal)/links/\(name)"]
        )
    }

    @Test func `ignores a name that is no text`() throws {
        let start = Array((folderPath + "/").utf8)
        let path = (start + [0xFF, 0xC0, 0x00]).map { CChar(bitPattern: $0) }
        let opened = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
        try #require(opened >= 0)
        close(opened)
        #expect(try relay.links() == links.map(\.place))
    }

    @Test func `has a link under each number that somebody copies it to`() throws {
        let copy = LinkPlace(number: 77, digest: links[0].place.digest)
        let name = LinkPart.link.fileName(of: copy)
        try files.copyItem(atPath: path(links[0]), toPath: folderPath + "/" + name)
        #expect(try relay.links() == links.map(\.place) + [copy])
        #expect(try relay.link(at: copy) == links[0].bytes)
    }

    @Test func `reads no directory that has more files than the limit`() throws {
        let folder = try RelayFolder(folderPath)
        var count = 0
        try folder.forEachName(limit: 3) { _, _ in count += 1 }
        #expect(count == 3)
        #expect(throws: RelayError.damaged("\(folderPath) has more than 2 files")) {
            try folder.forEachName(limit: 2) { _, _ in }
        }
    }

    @Test func `tells what is in the place of all links`() throws {
        try files.removeItem(atPath: folderPath)
        try write([1], to: folderPath)
        let failure = relay.failure { relay throws(RelayError) in _ = try relay.links() }
        #expect(failure?.words.contains(folderPath) == true)
        #expect(try relay.streams() == [:])
    }

    @Test func `loses what a killed process left among the links`() throws {
        let left = folderPath + "/" + EntryFile.unfinishedName(7)
        try write([1], to: left)
        #expect(try relay.foreignPaths() == [])
        try TestLink(9).put(to: stage.relay())
        #expect(!files.fileExists(atPath: left))
    }

    @Test func `hears of links that a program copies`() throws {
        let held = try Data(contentsOf: URL(filePath: path(links[2])))
        try files.removeItem(atPath: path(links[2]))
        #expect(try relay.links() == links.dropLast().map(\.place))
        let wait = Errand { [relay] in try relay.waitForChange(upTo: RelayKind.patience) }
        try held.write(to: URL(filePath: path(links[2])))
        #expect(try wait.value())
    }

    @Test(arguments: ["1\n", "1\r\n"])
    func `tells a circle of version 1`(mark: String) throws {
        try write(Array(mark.utf8), to: stage.path + "/keychain-sync-relay")
        let failures = [
            relay.failure { relay throws(RelayError) in try relay.prepare() },
            relay.failure { relay throws(RelayError) in _ = try relay.links() },
            relay.failure { relay throws(RelayError) in _ = try relay.streams() },
        ]
        #expect(failures.allSatisfy { $0 == .earlierVersion(stage.path) }, "\(failures)")
        #expect(RelayError.earlierVersion("x").words.contains("a circle of version 1"))
    }
}
