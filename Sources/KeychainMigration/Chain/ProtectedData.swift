import Foundation

#if canImport(Darwin) && canImport(UIKit)
    import UIKit
#elseif !canImport(Darwin)
    import ApplicationShim
#endif

/// A source that reports whether files and items that a locked device closes are readable now.
///
/// ```swift
/// let protectedData: any ProtectedData = SystemProtectedData()
/// try await protectedData.wait()
/// ```
/// - Source: Migration guide, Background Launch and the Locked-Device Trap.
public protocol ProtectedData: Sendable {
    /// Returns whether protected data is readable now.
    func isAvailable() async -> Bool
    /// The notification after which protected data may be available, from any object; nil if there
    /// is none.
    var becameAvailable: Notification.Name? { get }
}

/// The system's report on protected data; always available on a system without such a report.
///
/// ```swift
/// let isReadable = await SystemProtectedData().isAvailable()
/// ```
public struct SystemProtectedData: ProtectedData {
    /// Creates a source for this device, or for the device of a simulated app.
    public init() {}

    /// Returns whether protected data is readable now.
    public func isAvailable() async -> Bool {
        #if !canImport(Darwin) || canImport(UIKit)
            await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
        #else
            true
        #endif
    }

    /// The notification of `UIApplication`.
    public var becameAvailable: Notification.Name? {
        #if !canImport(Darwin) || canImport(UIKit)
            UIApplication.protectedDataDidBecomeAvailableNotification
        #else
            nil
        #endif
    }
}

extension ProtectedData {
    /// Suspends until protected data is available, or returns at once if it is.
    ///
    /// The call observes the notification before it checks the state, so it misses none. It removes
    /// the observer after one use, so the task resumes once.
    ///
    /// - Throws: `CancellationError` if the task is canceled.
    public func wait() async throws(CancellationError) {
        guard let name = becameAvailable, await !isAvailable() else { return }
        let announcements = AsyncStream<Void>(bufferingPolicy: .bufferingNewest(1)) { stream in
            let observer = ObserverToken(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
                    _ in stream.yield()
                }
            )
            stream.onTermination = { _ in observer.remove() }
        }
        guard await !isAvailable() else { return }
        for await _ in announcements {
            if await isAvailable() { return }
        }
        throw CancellationError()
    }

    /// Runs a keychain operation; if an item is locked, waits for protected data and runs it again.
    ///
    /// An operation that fails while protected data is available is not repeated.
    ///
    /// - Throws: `KeychainFailure`, or `CancellationError` if the task is canceled.
    /// - Source: Keychain access control guide, Error Codes.
    public func retrying<Result: Sendable>(
        _ operation: @Sendable () throws(KeychainFailure) -> Result
    ) async throws -> Result {
        while true {
            do throws(KeychainFailure) {
                return try operation()
            } catch {
                guard error.isLocked, await !isAvailable() else {
                    // Protected data may have become available meanwhile. Then this attempt is the
                    // last one.
                    guard error.isLocked else { throw error }
                    return try operation()
                }
            }
            try await wait()
        }
    }
}

/// An observer of a notification, which can be removed.
///
/// `@unchecked Sendable`: the token is immutable, and the notification center can remove it on any
/// thread.
private struct ObserverToken: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }

    func remove() { NotificationCenter.default.removeObserver(token) }
}
