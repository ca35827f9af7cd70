import Glibc
import KeychainModel
import Secrets
import TestSupport
import Testing

@testable import DataProtection

/// Counts where a pattern stands in this process's writable memory, the pattern itself excepted.
///
/// The list of mappings is read into a buffer too small to get, and lose, a mapping of its own.
private func occurrences(of pattern: UnsafeRawBufferPointer) throws -> Int {
    let maps = try Descriptor(opening: "/proc/self/maps", flags: O_RDONLY).readAll(limit: 96 * 1024)
    var count = 0
    for line in String(decoding: maps, as: UTF8.self).split(separator: "\n") {
        let fields = line.split(separator: " ")
        guard fields.count >= 2, fields[1].hasPrefix("rw") else { continue }
        let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard bounds.count == 2, let start = UnsafeRawPointer(bitPattern: bounds[0]) else {
            continue
        }
        count += occurrences(of: pattern, from: start, count: Int(bounds[1] - bounds[0]))
    }
    return count
}

private func occurrences(
    of pattern: UnsafeRawBufferPointer,
    from start: UnsafeRawPointer,
    count: Int
) -> Int {
    guard let needle = pattern.baseAddress, let first = pattern.first else { return 0 }
    var found = 0
    var from = start
    let end = start + count
    while let hit = memchr(from, Int32(first), end - from) {
        let place = UnsafeRawPointer(hit)
        guard end - place >= pattern.count else { break }
        if place != needle, memcmp(place, needle, pattern.count) == 0 { found += 1 }
        from = place + 1
    }
    return found
}

@Suite struct `The memory of a process` {
    @Test(.requirement("STO-19", "ACC-21"))
    func `holds no class key for "while unlocked" once the device is locked`() async {
        await #expect(processExitsWith: .success) {
            var device = try openDevice(MemoryStorage(), creatingWith: passcode("1234"))
            _ = try device.unlock(passcode: passcode("1234").secret, at: instant(1))
            _ = try wrapProbe(device, .whenUnlocked)
            let copy = device.keybag.keys.withKey(.whenUnlocked) { $0.secret.duplicate() }
            guard let copy else { exit(2) }
            let before = try copy.withUnsafeBytes { try occurrences(of: $0) }
            _ = device.lock(at: instant(2))
            let after = try copy.withUnsafeBytes { try occurrences(of: $0) }
            exit(before == 1 && after == 0 ? 0 : Int32(10 + 10 * min(before, 9) + min(after, 9)))
        }
    }
}
