import EngineTestSupport
import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Synchronization
import TestSupport
import Testing

@Suite struct `Removing a keychain that a command made` {
    private let home: TestHome
    /// The keychain that programs use.
    private var own: KeychainHome { home.home }
    private var made: KeychainHome { KeychainHome(directory: home.root + "/made") }

    init() throws {
        home = try TestHome()
        try require(home.open().add(password()) == .success, "add")
        try EmbeddedKeychain.makeRemovable(made)
        let opened = try EmbeddedKeychain.open(made, home.environment())
        opened.engine.end()
    }

    private func files(_ home: KeychainHome) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: home.directory).sorted()
    }

    /// Exchanges the two directories, as a program of the same account can at any time.
    private static func exchange(
        _ made: KeychainHome,
        _ own: KeychainHome
    ) throws(KeychainError) {
        let aside = made.directory + "-aside"
        guard rename(made.directory, aside) == 0, rename(own.directory, made.directory) == 0,
            rename(aside, own.directory) == 0
        else { throw .failed("rename", aside) }
    }

    /// Does something in front of the effect with a number.
    private func effects(
        at place: Int,
        _ action: @escaping @Sendable () throws(KeychainError) -> Void
    ) -> MoveEffects {
        let count = Mutex(0)
        return MoveEffects { _ throws(KeychainError) in
            let number = count.withLock { number in
                number += 1
                return number
            }
            if number == place { try action() }
        }
    }

    @Test func `leaves nothing`() throws {
        try EmbeddedKeychain.remove(made, home.environment())
        #expect(access(made.directory, F_OK) != 0)
    }

    @Test(arguments: ["keybag", "secure-element"])
    func `leaves no key in hard links and open files`(name: String) throws {
        let (path, linked) = (made.directory + "/" + name, home.root + "/" + name)
        try require(link(path, linked) == 0, name)
        let held = try FileHandle(forReadingFrom: URL(filePath: path))
        let zeros = Data(count: try Data(contentsOf: URL(filePath: path)).count)
        #expect(!zeros.isEmpty)
        try EmbeddedKeychain.remove(made, home.environment())
        #expect(access(made.directory, F_OK) != 0)
        #expect(try Data(contentsOf: URL(filePath: linked)) == zeros)
        #expect(try held.readToEnd() == zeros)
        try held.close()
    }

    @Test(arguments: 1...3)
    func `touches no other one that gets its name meanwhile`(place: Int) throws {
        let before = try files(own)
        let effects = effects(at: place) { [made, own] () throws(KeychainError) in
            try Self.exchange(made, own)
        }
        let error = #expect(throws: KeychainError.self) {
            try EmbeddedKeychain.remove(made, home.environment(), effects: effects)
        }
        #expect(error?.status == .notAvailable)
        // They have each other's names now.
        #expect(try files(made) == before)
        #expect(try files(own).isEmpty)
        try Self.exchange(made, own)
        #expect(try home.open().read(password()) == .value("open sesame"))
    }

    @Test(arguments: 1...3)
    func `can be done again when it was interrupted`(place: Int) throws {
        let effects = effects(at: place) { () throws(KeychainError) in
            throw KeychainError(.userCanceled, "killed")
        }
        #expect(throws: KeychainError(.userCanceled, "")) {
            try EmbeddedKeychain.remove(made, home.environment(), effects: effects)
        }
        #expect(access(made.keybag, F_OK) == (place == 1 ? 0 : -1))
        guard place < 3 else { return }
        #expect(EmbeddedKeychain.isRemovable(made))
        try EmbeddedKeychain.remove(made, home.environment())
        #expect(access(made.directory, F_OK) != 0)
    }

    @Test func `takes no link to one`() throws {
        let link = home.root + "/link"
        try require(symlink(made.directory, link) == 0, link)
        let before = try files(made)
        #expect(throws: KeychainError.self) {
            try EmbeddedKeychain.remove(KeychainHome(directory: link), home.environment())
        }
        #expect(try files(made) == before)
    }

    @Test func `takes none whose mark is a link`() throws {
        let mark = own.directory + "/removable"
        try require(symlink(made.directory + "/removable", mark) == 0, mark)
        #expect(throws: KeychainError(.invalidKeychain, "")) {
            try EmbeddedKeychain.remove(own, home.environment())
        }
        #expect(access(own.keybag, F_OK) == 0)
    }

    @Test func `is prepared in no directory that holds anything`() throws {
        #expect(throws: KeychainError.self) { try EmbeddedKeychain.makeRemovable(own) }
        #expect(!EmbeddedKeychain.isRemovable(own))
    }
}
