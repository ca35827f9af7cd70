import Cryptography
import EngineTestSupport
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

/// A file that something happened to.
private struct Damage: CustomTestStringConvertible, Sendable {
    let file: String
    let testDescription: String
    let apply: @Sendable ([UInt8]) -> [UInt8]

    init(_ file: String, _ what: String, _ apply: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        self.file = file
        testDescription = "\(file): \(what)"
        self.apply = apply
    }

    static let text = "This is somebody's shopping list, and nothing else.\n"

    /// What can happen to any file.
    static func common(_ file: String) -> [Damage] {
        [
            Damage(file, "emptied") { _ in [] },
            Damage(file, "cut to 1 byte") { Array($0.prefix(1)) },
            Damage(file, "cut to 9 bytes") { Array($0.prefix(9)) },
            Damage(file, "cut to a third") { Array($0.prefix($0.count / 3)) },
            Damage(file, "cut by 1 byte") { Array($0.dropLast()) },
            Damage(file, "zeros") { Array(repeating: 0, count: $0.count) },
            Damage(file, "the first byte differs") { [$0[0] ^ 1] + $0.dropFirst() },
            Damage(file, "another program's") { _ in Array(text.utf8) },
        ]
    }

    static let all =
        common("keychain.db") + common("keybag") + common("secure-element")
        + ["keybag", "secure-element"].flatMap { file in
            [
                Damage(file, "1 byte too many") { $0 + [0] },
                Damage(file, "a newer version") { Array($0[..<8]) + [0, 3] + $0[10...] },
                Damage(file, "the last byte differs") { $0.dropLast() + [($0.last ?? 0) ^ 1] },
            ]
        }
        + [2, 100, 511, 512, 4095, 4096, 4097, 8192, 20_000].map { count in
            Damage("keychain.db", "cut to \(count) bytes") { Array($0.prefix(count)) }
        }
        + [
            // The two bytes that tell which version of the file format can read it.
            Damage("keychain.db", "a newer file format") { Array($0[..<18]) + [9, 9] + $0[20...] },
            Damage("keychain.db", "a newer version") {
                Array($0[..<60]) + [0, 0, 9, 9] + $0[64...]
            },
            Damage("keychain.db", "another mark") { Array($0[..<68]) + [1, 2, 3, 4] + $0[72...] },
        ]
}

@Suite struct `A damaged file` {
    private let home: TestHome

    init() throws {
        home = try TestHome()
        let keychain = try home.open()
        try #require(keychain.add(password()) == .success)
        for number in 0..<20 { keychain.add(password("account \(number)")) }
    }

    @Test(arguments: Damage.all)
    fileprivate func `is named in the refusal and left as it is`(damage: Damage) throws {
        let path = home.directory + "/" + damage.file
        let good = try home.read(path)
        try home.write(damage.apply(good), to: path)
        let before = try home.files()
        let refusal = try #require(home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains(path), "\(refusal)")
        #expect(try home.files() == before)
        try home.write(good, to: path)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    @Test(arguments: ["keybag", "secure-element"])
    func `that is missing is named, and none is made in its place`(file: String) throws {
        let path = home.directory + "/" + file
        let kept = try home.read(path)
        unlink(path)
        let before = try home.files()
        let refusal = try #require(home.refusal())
        #expect(refusal.status == .notAvailable)
        #expect(refusal.reason.contains(path), "\(refusal)")
        #expect(try home.files() == before)
        try require(FileFacts.make(path), path)
        try home.write(kept, to: path)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    @Test(arguments: ["keybag", "secure-element"])
    func `of another keychain opens nothing of this one`(file: String) throws {
        let other = try TestHome()
        do { _ = try other.open().add(password()) }
        let path = home.directory + "/" + file
        let mine = try home.read(path)
        try home.write(try other.read(other.directory + "/" + file), to: path)
        let before = try home.files()
        let refusal = try #require(home.refusal())
        #expect(refusal.reason.contains(home.directory), "\(refusal)")
        #expect(try home.files() == before)
        try home.write(mine, to: path)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    @Test func `never shows a wrong value, whichever page is damaged`() throws {
        let path = home.home.database
        let good = try home.read(path)
        let pages = 0..<(good.count / 4096)
        let opening = try pages.filter { page in
            var bytes = good
            let place = (page * 4096)..<((page + 1) * 4096)
            bytes.replaceSubrange(place, with: [UInt8](repeating: 0, count: 4096))
            try home.write(bytes, to: path)
            return opensWithNothingWrong("page \(page)")
        }
        #expect(!opening.isEmpty)
    }

    @Test(arguments: [UInt64(1), 2])
    func `never shows a wrong value, whichever bytes differ`(seed: UInt64) throws {
        let random = SeededRandomSource(seed: seed)
        let path = home.home.database
        let good = try home.read(path)
        var openCount = 0
        for round in 0..<100 {
            var bytes = good
            for _ in 0..<8 {
                let choice = try random.bytes(5)
                let place = choice[..<4].reduce(0) { $0 << 8 | Int($1) } % bytes.count
                bytes[place] = choice[4]
            }
            try home.write(bytes, to: path)
            if opensWithNothingWrong("seed \(seed), round \(round)") { openCount += 1 }
        }
        #expect(openCount > 0)
    }

    /// The item, no item, or an error; nothing else.
    ///
    /// - Returns: Whether the keychain opens at all.
    private func opensWithNothingWrong(_ name: String) -> Bool {
        let allowed: Set<SecurityStatus> = [
            .success, .itemNotFound, .notAvailable, .io, .readOnly, .decode,
        ]
        guard let keychain = try? home.open() else { return false }
        let found = keychain.read(password())
        #expect(found.value == nil || found.value == "open sesame", "\(name)")
        #expect(allowed.contains(found.status), "\(name): \(found)")
        let strange = keychain.accounts(password(nil)).filter { account in
            account != "ada" && !account.hasPrefix("account ")
        }
        #expect(strange == [], "\(name)")
        return true
    }
}
