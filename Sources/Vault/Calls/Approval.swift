public import Foundation
import Synchronization

#if canImport(Darwin)
    import LocalAuthentication
    import Security
#else
    import KeychainAuthentication
    import KeychainServices
#endif

/// The user's approval of one or several calls, which a prompt requests.
///
/// ```swift
/// let approval = Approval(reason: "Open the diary")
/// let key = try await vault.secret(.diaryKey, approval: approval)
/// let notes = try await vault.data(.diaryNotes, approval: approval)  // no second prompt
/// approval.end()
/// ```
///
/// There is one prompt for all items with the same ``Protection``. An approval ends when you end or
/// release it, and when the device locks. A task that was canceled before the prompt shows none.
///
/// The class is `@unchecked Sendable` because its context is constant and permits calls from any
/// thread, and because a lock guards the rest.
public final class Approval: @unchecked Sendable {
    let context: LAContext
    private let reason: String
    private let approved = Mutex<Set<Protection>>([])

    /// Creates an approval; the first call that needs it shows the prompt.
    ///
    /// - Parameters:
    ///   - reason: the sentence that the prompt shows, such as "Open the diary".
    ///   - reuse: the number of seconds for which the match that unlocked the device counts, too.
    public init(reason: String, reuse: TimeInterval = 0) {
        self.reason = reason
        context = LAContext()
        context.localizedReason = reason
        context.touchIDAuthenticationAllowableReuseDuration = reuse
    }

    /// Ends the approval; a call that uses it later fails.
    public func end() {
        context.invalidate()
        approved.withLock { $0.removeAll() }
    }

    /// Asks the user for what a protection requires, unless the user proved it already.
    func approve(
        _ protection: Protection,
        _ use: LAAccessControlOperation,
        orThrow failure: (OSStatus, VaultError.Reason, String) -> VaultError
    ) async throws(VaultError) {
        guard let constraint = protection.constraint,
            !approved.withLock({ $0.contains(protection) }),
            let control = SecAccessControlCreateWithFlags(
                kCFAllocatorDefault,
                protection.availability.constant,
                constraint.flags,
                nil
            )
        else { return }
        guard !Task.isCancelled else {
            throw failure(errSecUserCanceled, .canceled, "The task was canceled.")
        }
        do {
            try await context.evaluateAccessControl(
                control,
                operation: use,
                localizedReason: reason
            )
        } catch {
            let (status, reason) = VaultError.meaning(of: error)
            throw failure(status, reason, error.localizedDescription)
        }
        _ = approved.withLock { $0.insert(protection) }
    }
}

extension VaultError {
    /// The status for an error of LocalAuthentication.
    static func meaning(of error: any Error) -> (OSStatus, Reason) {
        switch (error as? LAError)?.code {
        case .userCancel, .systemCancel, .appCancel, .userFallback: (errSecUserCanceled, .canceled)
        case .notInteractive: (errSecInteractionNotAllowed, .approvalNeeded)
        default: (errSecAuthFailed, .notApproved)
        }
    }
}

extension Vault {
    /// Returns the secret of an item as a value, after the user's approval if the item needs one.
    ///
    /// - Returns: the value, or nil if there is no such item.
    /// - Throws: ``VaultError``, among others with the reasons ``VaultError/Reason/canceled`` and
    ///   ``VaultError/Reason/notApproved``.
    public func read<Value: Decodable & Sendable>(
        _ item: some SecretItem,
        as type: Value.Type = Value.self,
        approval: Approval
    ) async throws(VaultError) -> Value? {
        try value(await data(item, approval: approval), of: item)
    }

    /// Returns the secret of an item as `Data`, after the user's approval if the item needs one.
    public func data(
        _ item: some SecretItem,
        approval: Approval
    ) async throws(VaultError) -> Data? {
        do throws(VaultError) {
            return try bytes(of: item, SilentContext.shared.context)
        } catch  where error.status == errSecInteractionNotAllowed {
            try await approve(item, .read, approval)
        }
        return try await PromptThreads.run { () throws(VaultError) in
            try bytes(of: item, approval.context)
        }
    }

    /// Returns the secret of an item in memory that is wiped, after the user's approval.
    public func secret(
        _ item: some SecretItem,
        approval: Approval
    ) async throws(VaultError) -> Secret? {
        guard var bytes = try await data(item, approval: approval) else { return nil }
        return Secret(wiping: &bytes)
    }

    /// Saves a value in an item, after the user's approval if the item is there and needs one.
    ///
    /// A new item needs no approval. Replacing the secret of an item with a constraint does.
    public func save(
        _ value: some Encodable,
        in item: some SecretItem,
        approval: Approval
    ) async throws(VaultError) {
        let bytes = try encoded(value, .save, item)
        do throws(VaultError) {
            return try saveBytes(bytes, in: item, .save)
        } catch  where error.status == errSecInteractionNotAllowed {
            try await approve(item, .save, approval)
        }
        try await PromptThreads.run { () throws(VaultError) in
            try saveBytes(bytes, in: item, .save, approval.context)
        }
    }

    private func approve(
        _ item: some SecretItem,
        _ operation: VaultError.Operation,
        _ approval: Approval
    ) async throws(VaultError) {
        try await approval.approve(item.protection, .useItem) { status, reason, sentence in
            let name = item.description
            let sort = item.address.sort
            let advice = "\(sentence) \(reason.advice)"
            return VaultError(status, operation, sort, name, reason: reason, explanation: advice)
        }
    }
}

/// Threads for calls that wait for the user, so that no task of the program waits with them.
///
/// Task-local values are available there, unlike on a plain queue.
final class PromptThreads: TaskExecutor {
    private static let shared = PromptThreads()
    private let queue = DispatchQueue(label: "Vault.prompts", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Runs code that may wait on a thread of its own.
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        let outcome: Result<Value, VaultError> = await withTaskExecutorPreference(shared) {
            await made(by: body)
        }
        return try outcome.get()
    }

    @concurrent private static func made<Value: Sendable>(
        by body: @Sendable () throws(VaultError) -> Value
    ) async -> Result<Value, VaultError> {
        do throws(VaultError) { return .success(try body()) } catch { return .failure(error) }
    }
}
