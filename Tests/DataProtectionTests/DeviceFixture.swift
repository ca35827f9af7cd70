import Cryptography
import KeychainModel
import Secrets
import Synchronization

@testable import DataProtection

/// Moments of a first boot, counted in seconds.
func instant(
    _ seconds: Int,
    boot: UInt8 = 1,
    suspended: Duration = .zero,
    wallClock: Int64 = 0
) -> DeviceInstant {
    DeviceInstant(
        bootID: [UInt8](repeating: boot, count: DeviceInstant.bootIDByteCount),
        uptime: .seconds(seconds),
        suspended: suspended,
        wallClock: wallClock
    )
}

/// A passcode from text.
func passcode(_ text: String) -> SharedSecret {
    SharedSecret(Secret(copying: [UInt8](text.utf8)))
}

/// The cheapest cost the algorithm knows; it protects nothing.
let testCost = Argon2id.Cost(memoryKiB: 8, passes: 1, lanes: 1)

/// Opens a device over a storage, as another process or after a restart would.
func openDevice(
    _ storage: any DeviceStorage,
    creatingWith passcode: SharedSecret? = nil,
    sessions: (any SessionImageStorage)? = nil,
    tokenLifetime: UnlockToken.Lifetime = .untilRestart,
    seed: UInt64 = 1,
    at now: DeviceInstant = instant(0)
) throws -> Device {
    let random = SeededRandomSource(seed: seed)
    return try Device(
        opening: storage,
        element: SoftwareSecureElement(storage: storage, random: random),
        creatingWith: passcode,
        sessions: sessions,
        tokenLifetime: tokenLifetime,
        stretchingCost: { testCost },
        random: random,
        at: now
    )
}

/// Wraps 32 known bytes under a class key, to be compared or unwrapped later.
func wrapProbe(_ device: borrowing Device, _ protectionClass: ProtectionClass) throws -> [UInt8] {
    try device.withClassKey(protectionClass) { key throws(CryptographyError) in
        try key.wrap(Secret(copying: [UInt8](repeating: 0x5A, count: 32)))
    }
}

/// The classes whose keys are in memory, in the order of the class numbers.
func openClasses(_ device: borrowing Device) -> [ProtectionClass] {
    var open: [ProtectionClass] = []
    for protectionClass in ProtectionClass.allCases where device.isAvailable(protectionClass) {
        open.append(protectionClass)
    }
    return open
}

/// The classes that are open on an unlocked device with a passcode.
let allClasses = ProtectionClass.allCases

/// The classes that stay open when the device is locked.
let afterLock: [ProtectionClass] = [
    .afterFirstUnlock, .always, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
]

/// The classes that are open from the start of the device.
let beforeFirstUnlock: [ProtectionClass] = [.always, .alwaysThisDeviceOnly]

/// A storage that stops working after a number of writes, as if the process were killed then.
final class FailingStorage: DeviceStorage {
    private let base: any DeviceStorage
    private let writesLeft: Mutex<Int>

    private let isReadable: Bool

    /// Whether nothing can be taken away that a crash has left.
    let keepsLeftovers = Mutex(false)

    /// Lets `count` writes through; reading ends with the last of them unless it `isReadable`.
    init(_ base: any DeviceStorage, allowingWrites count: Int, isReadable: Bool = false) {
        self.base = base
        self.writesLeft = Mutex(count)
        self.isReadable = isReadable
    }

    /// Lets so many more writes through.
    func allow(writes count: Int) { writesLeft.withLock { $0 = count } }

    private func countWrite() throws(StorageError) {
        let left = writesLeft.withLock { count in
            count -= 1
            return count
        }
        if left < 0 { throw failure }
    }

    private var failure: StorageError { .system(operation: "test", path: "killed", code: 5) }

    func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]? {
        if !isReadable, writesLeft.withLock({ $0 <= 0 }) { throw failure }
        return try base.read(file)
    }

    func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError) {
        try countWrite()
        try base.replace(file, with: bytes)
    }

    func read(
        _ file: DeviceFile,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        if !isReadable, writesLeft.withLock({ $0 <= 0 }) { throw failure }
        return try base.read(file, into: buffer)
    }

    func overwrite(
        _ file: DeviceFile,
        with bytes: UnsafeRawBufferPointer
    ) throws(StorageError) {
        try countWrite()
        try base.overwrite(file, with: bytes)
    }

    func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError) {
        try countWrite()
        try base.rename(file, to: target)
    }

    func reopen() { base.reopen() }

    func remove(_ file: DeviceFile) throws(StorageError) {
        try countWrite()
        try base.remove(file)
    }

    func discardReplacements() throws(StorageError) {
        if keepsLeftovers.withLock({ $0 }) { throw failure }
        try base.discardReplacements()
    }

    func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)? {
        try base.takeAttemptTurn()
    }

    func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp? {
        try base.stamp(of: file)
    }

    func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        try base.withExclusiveLock(body)
    }

    func path(of file: DeviceFile) -> String { base.path(of: file) }
}

/// Session images in memory, for several devices over one storage.
final class MemorySessionStorage: SessionImageStorage {
    private struct State {
        var images: [String: [UInt8]] = [:]
        var isFull = false
        var isStuck = false
    }

    private let state = Mutex(State())

    var images: [String: [UInt8]] {
        get { state.withLock { $0.images } }
        set { state.withLock { $0.images = newValue } }
    }

    /// Whether nothing can be written.
    var isFull: Bool {
        get { state.withLock { $0.isFull } }
        set { state.withLock { $0.isFull = newValue } }
    }

    /// Whether nothing can be written or removed.
    var isStuck: Bool {
        get { state.withLock { $0.isStuck } }
        set { state.withLock { $0.isStuck = newValue } }
    }

    func read(_ name: String) -> [UInt8]? { images[name] }

    func write(_ image: [UInt8], as name: String) throws(StorageError) {
        guard !isFull, !isStuck else { throw .system(operation: "write", path: name, code: 28) }
        images[name] = image
    }

    func isPresent(_ name: String) -> Bool { images[name] != nil }

    func remove(startingWith prefix: String, except kept: String?) throws(StorageError) -> Int {
        guard !isStuck else { throw .system(operation: "unlink", path: prefix, code: 30) }
        let before = images.count
        images = images.filter { !$0.key.hasPrefix(prefix) || $0.key == kept }
        return before - images.count
    }
}
