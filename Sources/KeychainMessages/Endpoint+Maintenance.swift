import KeychainModel
import Secrets

/// Takes the next bytes of a backup that is being made.
package typealias BackupSink = ([UInt8]) throws(KeychainError) -> Void

/// Gives the next bytes of a backup, at most as many as asked for; none at the end.
package typealias BackupSource = (_ byteCount: Int) throws(KeychainError) -> [UInt8]

/// Hears of every item or row that is done: how many there were so far.
package typealias WorkProgressListener = (Int) -> Void

/// Hears of every fault of a keychain as soon as it is found.
package typealias CheckListener = (CheckFault) -> Void

/// Hears of every item that is bound to something that is gone, or is about to go.
package typealias BoundItemListener = (BoundItem) -> Void

// The client's side of maintenance: one request after the other, whatever lies in between.
extension Endpoint {
    /// Writes an encrypted backup.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; `errSecParam` for an
    ///   empty password; what the sink throws.
    package func backup(
        password: SharedSecret,
        to sink: BackupSink,
        progress: WorkProgressListener
    ) throws(KeychainError) -> BackupReport {
        let outcome = try carryOut(.backup(password: password), progress) {
            finding throws(KeychainError) in
            guard case .bytes(let bytes) = finding else { throw .unexpectedReply }
            try sink(bytes)
        }
        guard case .backup(let report) = outcome else { throw .unexpectedReply }
        return report
    }

    /// Verifies the database, and every row by opening it; changes nothing.
    ///
    /// - Parameters:
    ///   - extent: Whether the rows are looked at.
    ///   - naming: Hears of each fault.
    ///   - noting: Hears of each item that nothing opens any more, which is no fault.
    ///   - progress: Hears how many rows are done.
    /// - Returns: What was found.
    /// - Throws: what keeps the keychain from being looked at.
    package func check(
        _ extent: CheckExtent,
        naming: CheckListener,
        noting: BoundItemListener,
        progress: WorkProgressListener
    ) throws(KeychainError) -> CheckReport {
        let outcome = try carryOut(.check(extent), progress) { finding throws(KeychainError) in
            switch finding {
            case .fault(let fault): naming(fault)
            case .boundItem(let item): noting(item)
            case .bytes: throw .unexpectedReply
            }
        }
        guard case .check(let report) = outcome else { throw .unexpectedReply }
        return report
    }

    /// Names every item that the removal of the passcode would delete or close for good.
    ///
    /// - Parameter naming: Hears of each item.
    /// - Returns: How many items the lock state keeps closed, so that nothing is known of them.
    /// - Throws: what keeps the rows from being read.
    package func passcodeLosses(naming: BoundItemListener) throws(KeychainError) -> Int {
        let outcome = try carryOut(.passcodeLosses, { _ in }) { finding throws(KeychainError) in
            guard case .boundItem(let item) = finding else { throw .unexpectedReply }
            naming(item)
        }
        guard case .passcodeLosses(let closedCount) = outcome else { throw .unexpectedReply }
        return closedCount
    }

    /// Accepts the present rows as correct.
    ///
    /// - Returns: How many rows there are.
    /// - Throws: what keeps the keychain from being written.
    package func acceptRows() throws(KeychainError) -> Int {
        guard case .accepted(let count) = try send(.acceptRows) else { throw .unexpectedReply }
        return count
    }
}

extension Endpoint {
    /// No more of a backup than this is handed over at once.
    private static var givenByteCount: Int { 1 << 18 }

    /// Restores an encrypted backup, all of it or nothing.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong password; `errSecDecode` for a damaged backup;
    ///   `errSecInteractionNotAllowed` unless the device is unlocked; what the source throws.
    package func restore(
        password: SharedSecret,
        from source: BackupSource
    ) throws(KeychainError) -> RestoreReport {
        let work = try begin(.restore(password: password))
        return try stopping(work) { () throws(KeychainError) in
            while true {
                let bytes = try source(Self.givenByteCount)
                if bytes.isEmpty { break }
                guard case .done = try send(.give(work, bytes)) else { throw .unexpectedReply }
            }
            guard case .restore(let report)? = try next(work).outcome else {
                throw .unexpectedReply
            }
            return report
        }
    }

    private func begin(_ work: MaintenanceWork) throws(KeychainError) -> WorkID {
        guard case .begun(let id) = try send(.begin(work)) else { throw .unexpectedReply }
        return id
    }

    private func next(_ work: WorkID) throws(KeychainError) -> WorkPortion {
        guard case .portion(let portion) = try send(.next(work)) else { throw .unexpectedReply }
        return portion
    }

    /// Carries work out to its end, portion by portion.
    private func carryOut(
        _ work: MaintenanceWork,
        _ progress: WorkProgressListener,
        _ take: (WorkFinding) throws(KeychainError) -> Void
    ) throws(KeychainError) -> WorkOutcome {
        let work = try begin(work)
        return try stopping(work) { () throws(KeychainError) in
            var doneCount = 0
            while true {
                let portion = try next(work)
                for finding in portion.findings { try take(finding) }
                while doneCount < portion.doneCount {
                    doneCount += 1
                    progress(doneCount)
                }
                if let outcome = portion.outcome { return outcome }
            }
        }
    }

    /// Stops the work if the client fails.
    private func stopping<R>(
        _ work: WorkID,
        _ body: () throws(KeychainError) -> R
    ) throws(KeychainError) -> R {
        do throws(KeychainError) { return try body() } catch {
            // Work that failed at the other side has ended there.
            _ = try? send(.stop(work))
            throw error
        }
    }
}
