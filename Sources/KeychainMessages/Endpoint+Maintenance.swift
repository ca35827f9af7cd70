import KeychainModel
import Secrets

/// A function that receives the next bytes of a backup in progress.
package typealias BackupSink = ([UInt8]) throws(KeychainError) -> Void

/// A function that returns the next bytes of a backup, up to a number; empty at the end.
package typealias BackupSource = (_ byteCount: Int) throws(KeychainError) -> [UInt8]

/// A function that receives the number of items or rows done so far.
package typealias WorkProgressListener = (Int) -> Void

/// A function that receives each fault of a keychain as soon as it is found.
package typealias CheckListener = (CheckFault) -> Void

/// A function that receives each item whose passcode or enrolment is gone, or will be removed.
package typealias BoundItemListener = (BoundItem) -> Void

// The client's side of maintenance: one request after another, with any endpoint in between.
extension Endpoint {
    /// Writes an encrypted backup.
    ///
    /// - Throws: `errSecInteractionNotAllowed` unless the device is unlocked; `errSecParam` for an
    ///   empty password; the errors of the sink.
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
    ///   - extent: Whether to verify the rows, too.
    ///   - naming: Receives each fault.
    ///   - noting: Receives each item that no longer opens, which is not a fault.
    ///   - progress: Receives the number of rows done.
    /// - Returns: The result.
    /// - Throws: The error that prevents reading the keychain.
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

    /// Names every item that removing the passcode would delete or make unreadable permanently.
    ///
    /// - Parameter naming: Receives each item.
    /// - Returns: The number of items that could not be examined, because the lock state closes
    ///   them.
    /// - Throws: The error that prevents reading the rows.
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
    /// - Returns: The number of rows.
    /// - Throws: The error that prevents writing the keychain.
    package func acceptRows() throws(KeychainError) -> Int {
        guard case .accepted(let count) = try send(.acceptRows) else { throw .unexpectedReply }
        return count
    }
}

extension Endpoint {
    /// The most bytes of a backup in one request.
    private static var givenByteCount: Int { 1 << 18 }

    /// Restores an encrypted backup, all of it or nothing.
    ///
    /// - Throws: `errSecAuthFailed` for a wrong password; `errSecDecode` for a damaged backup;
    ///   `errSecInteractionNotAllowed` unless the device is unlocked; the errors of the source.
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
            // Work that failed on the other side has already ended there.
            _ = try? send(.stop(work))
            throw error
        }
    }
}
