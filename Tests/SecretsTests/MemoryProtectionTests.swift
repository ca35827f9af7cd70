import Glibc
import TestSupport
import Testing

@testable import Secrets

@Suite struct `The memory of secrets` {
    // In a process of its own, where nothing else can take the slot before it is looked at.
    @Test(.requirement("STO-19"))
    func `is zero once the secret's life has ended`() async {
        await #expect(processExitsWith: .success) {
            func addressOfDeadSecret() -> UInt {
                let secret = Secret(copying: [UInt8](repeating: 0xA5, count: 48))
                return secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            }
            let bytes = UnsafeRawBufferPointer(
                start: UnsafeRawPointer(bitPattern: addressOfDeadSecret()),
                count: 48
            )
            #expect(bytes.count == 48)
            #expect(bytes.allSatisfy { $0 == 0 })
        }
    }

    @Test(.requirement("STO-18"), .enabled(if: kernelReportsFlags), arguments: ["dd", "wf"])
    func `stays out of core files and forked children`(flag: String) {
        let secret = Secret(copying: [1, 2, 3])
        let address = secret.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
        #expect(kernelFlags(ofMappingAt: address).contains(flag))
    }

    @Test(.requirement("STO-19"), .enabled(if: kernelReportsFlags))
    func `is locked whenever the arena says so`() {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: 32)
        let flags = kernelFlags(ofMappingAt: UInt(bitPattern: slot.start))
        #expect(flags.contains("lo") == arena.usage.isLocked)
    }

    // The usage is the arena's own word; the kernel's word is `lo`, and `RLIMIT_MEMLOCK` allows a
    // chunk everywhere but where an administrator has taken it away.
    @Test(
        .requirement("STO-19"),
        .enabled(if: kernelReportsFlags),
        .enabled(if: mayLock(SecretArena.chunkByteCount), "RLIMIT_MEMLOCK allows no chunk"),
        arguments: [32, SecretArena.largestSlotByteCount + 1]
    )
    func `is locked by the kernel where its limit allows that`(byteCount: Int) {
        let arena = SecretArena()
        let slot = arena.allocate(byteCount: byteCount)
        let flags = kernelFlags(ofMappingAt: UInt(bitPattern: slot.start))
        #expect(flags.contains("lo"))
        #expect(arena.usage.isLocked)
        #expect(arena.usage.lockedByteCount >= byteCount)
    }

    // In a process of its own, where nobody else has memory locked meanwhile.
    @Test(
        .requirement("STO-19"),
        .enabled(if: kernelReportsFlags),
        .enabled(if: mayLock(SecretArena.chunkByteCount), "RLIMIT_MEMLOCK allows no chunk")
    )
    func `is counted as locked by the kernel, to the last byte`() async {
        await #expect(processExitsWith: .success) {
            let arena = SecretArena()
            let before = lockedByteCountOfProcess()
            let slots = [32, SecretArena.largestSlotByteCount + 1].map {
                arena.allocate(byteCount: $0)
            }
            #expect(lockedByteCountOfProcess() - before == arena.usage.mappedByteCount)
            for slot in slots {
                let place = UInt(bitPattern: slot.start)
                let locked = kernelField("Locked:", ofMappingAt: place).split(separator: " ")
                let size = kernelField("Size:", ofMappingAt: place).split(separator: " ")
                #expect(locked == size)
                #expect(locked.first != "0")
            }
            arena.release(slots[1], usedByteCount: 1)
            #expect(lockedByteCountOfProcess() - before == SecretArena.chunkByteCount)
        }
    }

    @Test(.requirement("STO-18", "LCK-10"))
    func `is not dumped by a process that excludes core files`() async {
        await #expect(processExitsWith: .success) {
            #expect(CoreDump.isPossible)
            #expect(CoreDump.exclude())
            #expect(!CoreDump.isPossible)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
            #expect(limit.rlim_cur == 0)
        }
    }
}

private let kernelReportsFlags = linesOfMappingTable().contains { $0.hasPrefix("VmFlags:") }

/// Whether the kernel locks so much memory for this process now.
private func mayLock(_ byteCount: Int) -> Bool {
    let pages = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let pages, pages != MAP_FAILED else { return false }
    defer { munmap(pages, byteCount) }
    return mlock(pages, byteCount) == 0
}

/// What the kernel counts as locked of this process, in bytes; see proc_pid_status(5).
private func lockedByteCountOfProcess() -> Int {
    let line = lines(of: "/proc/self/status").first { $0.hasPrefix("VmLck:") }
    let number = line?.split(separator: " ").compactMap { Int($0.filter(\.isNumber)) }.first
    return 1024 * (number ?? 0)
}

/// The two-letter flags of the mapping that holds the address; see proc_pid_smaps(5).
private func kernelFlags(ofMappingAt address: UInt) -> [String] {
    kernelField("VmFlags:", ofMappingAt: address).split(separator: " ").map(String.init)
}

/// What stands behind a name in the kernel's table of the mapping that holds the address.
private func kernelField(_ name: String, ofMappingAt address: UInt) -> Substring {
    var isInMapping = false
    for line in linesOfMappingTable() {
        let head = line.prefix { $0 != " " }
        let bounds = head.split(separator: "-").compactMap { UInt($0, radix: 16) }
        if bounds.count == 2 {
            isInMapping = (bounds[0]..<bounds[1]).contains(address)
        } else if isInMapping, head == name {
            return line.dropFirst(head.count)
        }
    }
    return ""
}

private func linesOfMappingTable() -> [Substring] { lines(of: "/proc/self/smaps") }

private func lines(of path: String) -> [Substring] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var table: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(descriptor, &block, block.count)
        guard count > 0 else { break }
        table += block.prefix(count)
    }
    return String(decoding: table, as: UTF8.self).split(separator: "\n")
}
