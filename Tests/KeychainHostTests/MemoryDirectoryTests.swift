import Foundation
import Glibc
import Testing

@testable import KeychainHost

/// Two directories of a test, removed with it: one in memory, one on a disk.
private final class Place {
    static let checkout = URL(filePath: #filePath).deletingLastPathComponent().path
    let memory: String
    let disk: String

    init() throws {
        let name = ".session-place-" + UUID().uuidString
        memory = "/dev/shm/" + name
        disk = Self.checkout + "/" + name
        for path in [memory, disk] { try #require(mkdir(path, 0o700) == 0) }
    }

    deinit {
        for path in [memory, disk] { try? FileManager.default.removeItem(atPath: path) }
    }

    func fault(of path: String, for user: uid_t = geteuid()) -> MemoryDirectory.Fault? {
        MemoryDirectory.fault(of: path, for: user)
    }
}

@Suite struct `The place of a session image` {
    @Test(.requirement("LCK-02"))
    func `is a directory in memory that nobody else can enter`() throws {
        let place = try Place()
        #expect(place.fault(of: place.memory) == nil)
        #expect(place.fault(of: place.memory, for: geteuid() + 1) == .isOpenToOthers)
        #expect(place.fault(of: place.memory + "/none") == .isMissing)
    }

    @Test(.requirement("LCK-02"), arguments: [mode_t(0o777), 0o755, 0o750, 0o701, 0o702])
    func `is no directory that others can enter`(mode: mode_t) throws {
        let place = try Place()
        try #require(chmod(place.memory, mode) == 0)
        #expect(place.fault(of: place.memory) == .isOpenToOthers)
    }

    @Test(.requirement("LCK-02"), arguments: [\Place.memory, \Place.disk])
    fileprivate func `is not where a link leads`(target: KeyPath<Place, String> & Sendable) throws {
        let place = try Place()
        let link = place.memory + "/link"
        try #require(symlink(place[keyPath: target], link) == 0)
        #expect(place.fault(of: link) == .isNoDirectory)
    }

    @Test(
        .requirement("LCK-02"),
        .enabled(if: MountTable.fileSystemType(of: Place.checkout) != "tmpfs", "no disk is known")
    )
    func `is not on a disk`() throws {
        let place = try Place()
        #expect(place.fault(of: place.disk) == .isNotInMemory)
    }
}
