import DataProtection
import KeychainModel
import Synchronization
import Testing

/// A storage in memory at which something happens once, at a moment that was chosen before.
final class ActingStorage: DeviceStorage {
    /// What has just been done.
    enum Moment: String, CaseIterable, CustomTestStringConvertible {
        /// The lock epoch was read: nothing new was found.
        case looked
        /// The exclusive lock was let go of.
        case unlocked
        /// A file has taken the place of another.
        case replaced

        var testDescription: String { rawValue }
    }

    private struct Plan {
        let moment: Moment
        let act: @Sendable () -> Void
    }

    let base = MemoryStorage()
    private let plan = Mutex<Plan?>(nil)

    /// Whether something is still to happen.
    var isArmed: Bool { plan.withLock { $0 != nil } }

    func arm(_ moment: Moment, _ act: @escaping @Sendable () -> Void) {
        plan.withLock { $0 = Plan(moment: moment, act: act) }
    }

    private func pass(_ moment: Moment) {
        let due = plan.withLock { plan -> Plan? in
            guard plan?.moment == moment else { return nil }
            return plan.take()
        }
        due?.act()
    }

    func read(_ file: DeviceFile) throws(StorageError) -> [UInt8]? { base.read(file) }

    func replace(_ file: DeviceFile, with bytes: [UInt8]) throws(StorageError) {
        base.replace(file, with: bytes)
        if file == .keybag { pass(.replaced) }
    }

    func read(
        _ file: DeviceFile,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(StorageError) -> Int {
        defer { if file == .lockEpoch { pass(.looked) } }
        return base.read(file, into: buffer)
    }

    func overwrite(_ file: DeviceFile, with bytes: UnsafeRawBufferPointer) throws(StorageError) {
        base.overwrite(file, with: bytes)
    }

    func rename(_ file: DeviceFile, to target: DeviceFile) throws(StorageError) {
        base.rename(file, to: target)
    }

    func reopen() { base.reopen() }

    func remove(_ file: DeviceFile) throws(StorageError) { base.remove(file) }

    func discardReplacements() throws(StorageError) { base.discardReplacements() }

    func takeAttemptTurn() throws(StorageError) -> (any AttemptTurn)? { base.takeAttemptTurn() }

    func stamp(of file: DeviceFile) throws(StorageError) -> StorageStamp? { base.stamp(of: file) }

    func withExclusiveLock<R: Sendable>(
        _ body: () throws(DeviceError) -> R
    ) throws(DeviceError) -> R {
        let answer = try base.withExclusiveLock(body)
        pass(.unlocked)
        return answer
    }

    func path(of file: DeviceFile) -> String { base.path(of: file) }
}
