import Cryptography
import Foundation
import KeychainMigration
import TestSupport
import Testing

/// ★ Files that are not what they should be, and what is said of them.
struct Malformed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let reason: SourceFailure.Reason
    let make: @Sendable (Place) throws -> any LegacySource

    init(
        _ description: String,
        _ reason: SourceFailure.Reason,
        _ make: @escaping @Sendable (Place) throws -> any LegacySource
    ) {
        testDescription = description
        self.reason = reason
        self.make = make
    }

    static let all = [
        Malformed("a truncated property list", .damaged) { place in
            let url = try place.writeList(["a": "alpha"], to: "store")
            try place.write(try Data(contentsOf: url).dropLast(9), to: "store")
            return PropertyListSource(file: PlainFile(url))
        },
        Malformed("a property list of text only", .damaged) { place in
            PropertyListSource(file: PlainFile(try place.write("{ a = alpha; }", to: "store")))
        },
        Malformed("an empty property list", .damaged) { place in
            PropertyListSource(file: PlainFile(try place.write("", to: "store")))
        },
        Malformed("a property list that has a key twice", .damaged) { place in
            let entries = "<key>a</key><string>alpha</string><key>a</key><string>beta</string>"
            let text = "<plist version=\"1.0\"><dict>\(entries)</dict></plist>"
            return PropertyListSource(file: PlainFile(try place.write(text, to: "store")))
        },
        Malformed("a binary property list that has a key twice", .damaged) { place in
            let objects: [UInt8] = [0xD2, 1, 1, 2, 3, 0x51, 0x61, 0x51, 0x62, 0x51, 0x63]
            let table: [UInt8] = [8, 13, 15, 17] + [0, 0, 0, 0, 0, 0, 1, 1]
            let numbers: [UInt8] = [4, 0, 19].flatMap { [0, 0, 0, 0, 0, 0, 0, $0] }
            let bytes = Data("bplist00".utf8) + Data(objects + table + numbers)
            return PropertyListSource(file: PlainFile(try place.write(bytes, to: "store")))
        },
        Malformed("truncated JSON", .damaged) { place in
            JSONSource(file: PlainFile(try place.write(#"{"a": "alpha""#, to: "store")))
        },
        Malformed("binary JSON", .damaged) { place in
            JSONSource(file: PlainFile(try place.write(Data([0, 1, 2, 255]), to: "store")))
        },
        Malformed("an archive that is a plain list", .damaged) { place in
            KeyedArchiveSource(file: try place.writeList(["a": "alpha"], to: "store"))
        },
        Malformed("an archive with an unknown class", .unknownClass) { place in
            let bytes = Session.archive(Session(user: "ada", token: "alpha"))
            return KeyedArchiveSource(file: try place.write(bytes, to: "store"))
        },
        Malformed("a symbolic link", .symbolicLink) { place in
            try place.writeList(["a": "alpha"], to: "elsewhere")
            try FileManager.default.createSymbolicLink(
                at: place.file("store"),
                withDestinationURL: place.file("elsewhere")
            )
            return PropertyListSource(file: PlainFile(place.file("store")))
        },
        Malformed("a file of another user", .foreignOwner) { place in
            let url = try place.writeList(["a": "alpha"], to: "store")
            return PropertyListSource(file: PlainFile(url, owner: geteuid() &+ 1))
        },
        Malformed("a folder instead of a file", .notAFile) { place in
            try FileManager.default.createDirectory(
                at: place.file("store"),
                withIntermediateDirectories: false
            )
            return JSONSource(file: PlainFile(place.file("store")))
        },
    ]
}

@Suite struct `A malformed store` {
    @Test(.requirement("MIG-41"), arguments: Malformed.all)
    func `is reported by name, and nothing of it is removed`(row: Malformed) throws {
        let place = try Place()
        let source = try row.make(place)
        let before = try place.snapshot()
        let keychain = InMemoryKeychain()
        let journal = InMemoryJournal()
        let report = Mover(keychain: keychain, journal: journal)
            .run([Move("a", from: source, to: .token())])
        #expect(report.outcomes == [.failed(.source(SourceFailure(row.reason, "store")))])
        #expect(report.description.contains("store"))
        #expect(try place.snapshot() == before)
        #expect(keychain.items.isEmpty)
        #expect(journal.history.isEmpty)
    }

    @Test(.requirement("MIG-41"))
    func `in a folder that nobody may change is reported before anything is written`() throws {
        let place = try Place()
        let folder = place.file("sealed")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try place.writeList(["a": "alpha"], to: "sealed/store")
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let keychain = InMemoryKeychain()
        let source = PropertyListSource(file: PlainFile(place.file("sealed/store")))
        let report = Mover(keychain: keychain, journal: InMemoryJournal())
            .run([Move("a", from: source, to: .token())])
        #expect(
            report.outcomes == [.failed(.source(SourceFailure(.readOnlyFolder, "store")))]
        )
        #expect(keychain.calls.isEmpty)
        #expect(place.exists("sealed/store"))
    }

    @Test(arguments: [
        #"{"$archiver": "NSKeyedArchiver"}"#,
        #"{"$archiver": "NSKeyedArchiver", "$objects": [], "$top": {}}"#,
        #"{"$archiver": "Other", "$objects": ["$null"], "$top": {"root": 0}}"#,
        #"{"$archiver": "NSKeyedArchiver", "$objects": ["$null"], "$top": {"root": 0}}"#,
    ])
    func `that only looks like an archive is damaged`(json: String) throws {
        let place = try Place()
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8))
        let list = try #require(object as? [String: Any])
        let url = try place.writeList(list, to: "store")
        #expect(throws: SourceFailure(.damaged, "store")) {
            try KeyedArchiveSource(file: url).read("a")
        }
    }

    @Test(.requirement("MIG-41"), arguments: [0x5EED_0001, 0x5EED_0002] as [UInt64])
    func `never ends the process, however it is corrupted`(seed: UInt64) async throws {
        let place = try Place()
        let original = Session.archive(
            [
                "s": Session(user: "ada", token: "alpha"), "d": Date(timeIntervalSince1970: 5),
                "l": ["x", 5, Data([1, 2, 3])] as NSArray,
            ] as NSDictionary
        )
        var random = SeededNumbers(seed: seed)
        let keychain = InMemoryKeychain()
        let mover = Mover(keychain: keychain, journal: InMemoryJournal())
        var failed = 0
        for _ in 0..<1000 {
            var bytes = original
            if Bool.random(using: &random) {
                bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))
            }
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            let url = try place.write(bytes, to: "store")
            let source = KeyedArchiveSource(
                file: url,
                classes: [Session.archivedName: Session.maker]
            ) { root in
                ["root": Data("\(type(of: root))".utf8)]
            }
            let step = MigrationStep(
                to: 1,
                "archive",
                [ValueMoves([Move("root", from: source, to: .token(), conflict: .keepStored)])]
            )
            let chain = MigrationChain(
                service: UUID().uuidString,
                steps: [step],
                mover: mover,
                protectedData: AlwaysAvailable()
            )
            let result = await chain.run()
            if case .failed = result.state {
                failed += 1
                #expect(result.report.needsFreshLogin)
                #expect(place.exists("store"))
            }
        }
        #expect(failed > 500, "seed \(seed): \(failed) of 1000 archives were refused")
    }
}
