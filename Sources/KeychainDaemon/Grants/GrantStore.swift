import CallerEvidence
import Cryptography
import DataProtection
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel
import Secrets

// Invariants   (1) Unreadable grants count for no program, and nothing replaces their file.
//              (2) A grant is durable before the call returns. A revoked one does not count for any
//                  call that begins later.
//              (3) A file that another process changed counts after `patience`.
//
// Source: Documentation/Spec/grants.md.

/// The groups that the owner of a keychain shares with programs: the file `grants`, sealed.
package final class GrantStore: Sendable {
    private static let header = Array("KCGR".utf8) + [1]

    private let storage: any DeviceStorage
    private let key: SharedSecret
    private let random: any RandomSource
    private let patience: UInt64
    private let known = AdaptiveMutex<Known?>(nil)

    /// The content of the file, with the stamp of its version.
    private struct Known: Sendable {
        var stamp: StorageStamp?
        var grants: [AccessGrant]
        /// The time of the last check of the file.
        var time: UInt64
    }

    /// - Parameters:
    ///   - storage: The account's directory.
    ///   - key: 32 bytes: the engine's key for the label `grants`.
    ///   - patience: The milliseconds for which the file is not checked again; only this object
    ///     should change it.
    ///   - random: The source of nonces.
    package init(
        storage: any DeviceStorage,
        key: SharedSecret,
        patience: UInt32 = 0,
        random: any RandomSource = SystemRandomSource()
    ) {
        self.storage = storage
        self.key = key
        self.patience = UInt64(patience) * 1_000_000
        self.random = random
    }

    /// The grants, in the order in which they were made.
    ///
    /// While the file stays the same, reading them takes one system call, and none within the
    /// patience.
    /// - Throws: `errSecDecode` for a damaged file, whose grants count for no program.
    package var grants: [AccessGrant] {
        get throws(KeychainError) {
            let now = Self.now()
            return try known.withLock { known throws(KeychainError) in
                if let known, now &- known.time < patience { return known.grants }
                let stamp = try fromStorage(try storage.stamp(of: .grants))
                if var same = known, same.stamp == stamp {
                    same.time = now
                    known = same
                    return same.grants
                }
                known = nil
                let grants = try read().grants
                known = Known(stamp: stamp, grants: grants, time: now)
                return grants
            }
        }
    }

    /// Returns nanoseconds of a clock that needs no system call, exact to a few milliseconds.
    private static func now() -> UInt64 {
        var time = timespec()
        // This clock cannot fail.
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Grants a group to a program.
    ///
    /// - Throws: `errSecParam` for an invalid grant, `errSecDecode` for a damaged file, the errors
    ///   of the storage.
    package func add(_ grant: AccessGrant) throws(KeychainError) {
        try change { list throws(KeychainError) in try list.add(grant) }
    }

    /// Revokes a grant.
    ///
    /// - Throws: `errSecItemNotFound` if there is none; otherwise as `add`.
    package func remove(_ grant: AccessGrant) throws(KeychainError) {
        try change { list throws(KeychainError) in try list.remove(grant) }
    }

    private func change(
        _ body: (inout GrantList) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        try known.withLock { known throws(KeychainError) in
            known = nil
            let failure = try fromDevice(
                try storage.withExclusiveLock { () throws(DeviceError) -> KeychainError? in
                    do throws(KeychainError) {
                        var list = try read()
                        try body(&list)
                        let sealed = try seal(list)
                        try fromStorage(try storage.replace(.grants, with: sealed))
                        return nil
                    } catch { return error }
                }
            )
            if let failure { throw failure }
        }
    }

    private func read() throws(KeychainError) -> GrantList {
        guard let bytes = try fromStorage(try storage.read(.grants)) else { return GrantList() }
        let body = bytes.dropFirst(Self.header.count)
        guard bytes.starts(with: Self.header), body.count > AESGCM.nonceByteCount,
            let opened = try? AESGCM.open(
                body.dropFirst(AESGCM.nonceByteCount),
                key: key.secret,
                nonce: body.prefix(AESGCM.nonceByteCount),
                authenticating: Self.header
            ),
            let list = GrantList(opened.copyBytesUnprotected())
        else {
            let reason =
                "\(storage.path(of: .grants)) is damaged, so no program gets a group from it;"
                + " remove the file, and grant again"
            throw KeychainError(.decode, reason)
        }
        return list
    }

    private func seal(_ list: GrantList) throws(KeychainError) -> [UInt8] {
        do throws(CryptographyError) {
            let nonce = try random.bytes(AESGCM.nonceByteCount)
            return Self.header + nonce
                + (try AESGCM.seal(
                    list.bytes,
                    key: key.secret,
                    nonce: nonce,
                    authenticating: Self.header
                ))
        } catch {
            throw KeychainError(.internalComponent, "the grants cannot be sealed: \(error)")
        }
    }
}
