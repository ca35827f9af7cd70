import Foundation
import Glibc
import KeychainModel
import TestSupport
import Testing

@testable import ProtectedFiles

@Suite struct `A plain file that is protected and plain again` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws { folder = try Folder() }

    private func facts() -> stat {
        var facts = stat()
        stat(folder("a"), &facts)
        return facts
    }

    @Test func `keeps content, mode, date and extended attributes`() throws {
        let content = pattern(200_000)
        try replace(folder("a"), content)
        chmod(folder("a"), 0o640)
        // Any attribute will do.
        try DirectoryClass.set(.complete, of: folder("a"))
        let date = [timespec(tv_sec: 1000, tv_nsec: 0), timespec(tv_sec: 2000, tv_nsec: 5000)]
        utimensat(AT_FDCWD, folder("a"), date, 0)

        #expect(try PlainFile.protect(folder("a"), nil, keys.source).losses == [])
        #expect(FileContainer.isProtected(folder("a")))
        try expectLikeness()

        #expect(try PlainFile.unprotect(folder("a"), keys.source) == [])
        #expect(try contents(folder("a")) == content)
        try expectLikeness()
        #expect(folder.names == ["a"])
    }

    @Test(arguments: [true, false])
    func `gives its group rights last, and none without its access control list`(
        takesList: Bool
    ) throws {
        try replace(folder("a"), [])
        chmod(folder("a"), 0o640)
        let directory = try OpenDirectory(folder.path)
        let old = try directory.open("a", isWritable: false)
        let new = try directory.create("new", mode: 0o600)
        var calls = AttributeCalls()
        var given: [String] = []
        calls.names = { _ in [RawFile.accessList, "user.x"] }
        calls.value = { _, _ in [1] }
        calls.give = { descriptor, name, _ in
            var facts = stat()
            fstat(descriptor, &facts)
            given.append("\(name) \(String(facts.st_mode & 0o777, radix: 8))")
            return takesList || name != RawFile.accessList
        }
        let losses = try new.adopt(facts(), of: old, calls)
        #expect(given == ["system.posix_acl_access 600", "user.x 600"])
        #expect(try new.facts().st_mode & 0o777 == (takesList ? 0o640 : 0o600))
        let lost = ["its access control list", "the rights of its group"]
        #expect(losses == (takesList ? [] : lost))
    }

    private func expectLikeness() throws {
        #expect(facts().st_mode & 0o7777 == 0o640)
        #expect(try !RawFile(opening: folder("a"), isWritable: false).isUnfinished)
        #expect(facts().st_mtim.tv_sec == 2000 && facts().st_mtim.tv_nsec == 5000)
        #expect(DirectoryClass.stated(by: folder("a")) == .complete)
    }

    @Test func `takes no space for what is zero`() throws {
        let file = try FileContainer.create(folder("a"), .none, keys.source)
        try file.truncate(to: 50 << 20)
        try file.put([1], at: 30 << 20)
        try file.close()
        _ = try PlainFile.unprotect(folder("a"), keys.source)
        #expect(facts().st_size == 50 << 20)
        #expect(facts().st_blocks < 10_000)
        #expect(try contents(folder("a"))[30 << 20] == 1)
        try PlainFile.protect(folder("a"), nil, keys.source)
        #expect(facts().st_blocks < 10_000)
        let again = try FileContainer.open(folder("a"), isWritable: false, keys.source)
        #expect(again.byteCount == 50 << 20)
        #expect(try again.some(30 << 20, 2) == [1, 0])
    }

    @Test func `is given up soon if it grows`() throws {
        try replace(folder("a"), pattern(100))
        var count = 0
        #expect(throws: FileFailure.busy(folder("a"))) {
            try PlainFile.protect(folder("a"), nil, keys.source) { _ throws(FileFailure) in
                count += 1
                truncate(folder("a"), off_t(100 + count << 20))
                if count == 5 { throw .closed }
            }
        }
        #expect(count == 1)
    }

    @Test func `stays as it is while the keychain is locked`() throws {
        let file = try FileContainer.create(folder("a"), .complete, keys.source)
        try file.put(pattern(10))
        try file.close()
        keys.lock()
        #expect(throws: FileFailure.self) { try PlainFile.unprotect(folder("a"), keys.source) }
        #expect(FileContainer.isProtected(folder("a")))
        #expect(folder.names == ["a"])
    }

    @Test func `stays as it is when the work is ended in the middle`() throws {
        try replace(folder("a"), pattern(200_000))
        let ended = FileFailure.system("a", verb: "completed", code: EINTR)
        #expect(throws: ended) {
            try PlainFile.protect(folder("a"), nil, keys.source) { _ throws(FileFailure) in
                #expect(folder.names.count == 2)
                throw ended
            }
        }
        #expect(folder.names == ["a"])
        #expect(!FileContainer.isProtected(folder("a")))
    }

    @Test func `is damaged and not plain where its header was cut off`() throws {
        let file = try FileContainer.create(folder("a"), .none, keys.source)
        try file.close()
        truncate(folder("a"), 4000)
        #expect(throws: FileFailure.damaged(folder("a"), .header)) {
            try FileContainer.open(folder("a"), isWritable: false, keys.source)
        }
    }
}

@Suite struct `A file in the making` {
    private let folder: Folder
    private let keys = MemoryFileKeys()

    init() throws { folder = try Folder() }

    @Test func `is removed when its process is gone, and not before`() throws {
        let name = Leftovers.name(for: "a", .protecting)
        #expect(name.hasPrefix(".a."))
        let file = try FileContainer.create(folder(name), .none, keys.source)
        let directory = try OpenDirectory(folder.path)
        Leftovers.sweep(directory)
        #expect(folder.names == [name])
        try file.close()
        Leftovers.sweep(directory)
        #expect(folder.names == [])
    }

    @Test func `is nobody else's file`() throws {
        try replace(folder(".a.x.protecting"), [1])
        try replace(folder("a.1.protecting"), [1])
        symlink("a.1.protecting", folder(".a.1.protecting"))
        try replace(folder(".plan.2024.protecting"), [1])
        // It was one, and has its name now.
        let directory = try OpenDirectory(folder.path)
        let published = try directory.create(".plan.2025.protecting", mode: 0o600)
        published.begin()
        #expect(published.isUnfinished)
        published.finish()
        published.close()
        let twice = try directory.create(".b.2.protecting", mode: 0o600)
        twice.begin()
        twice.close()
        link(folder(".b.2.protecting"), folder("b"))
        let before = folder.names
        Leftovers.sweep(directory)
        #expect(folder.names == before)
    }

    @Test(arguments: [
        (".10076115818358211670.protecting", true), (".a.b.1.unprotecting", true),
        (".a.1.tmp", false), ("1.protecting", false), (".protecting", false),
    ])
    func `is known by its name`(name: String, isOne: Bool) {
        #expect(Leftovers.isOne(name) == isOne)
    }

    @Test func `has a name that every file system takes`() {
        let long = String(repeating: "ä", count: 120)
        let name = Leftovers.name(for: long, .unprotecting)
        #expect(name.utf8.count <= 255)
        #expect(Leftovers.isOne(name))
    }
}
