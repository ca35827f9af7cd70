import Foundation

#if canImport(UIKit)
    import UIKit
#elseif !canImport(Darwin)
    import ApplicationShim
#endif

/// Whether files and items that are closed while the device is locked can be read now.
///
/// - Source: Migration guide, Background Launch and the Locked-Device Trap.
public protocol ProtectedData: Sendable {
    /// Whether protected data can be read now.
    func isAvailable() async -> Bool
    /// Posted, by whatever object, when protected data may have become available; nil if never.
    var becameAvailable: Notification.Name? { get }
}

/// Protected data as the system tells of it; always available where it tells nothing.
public struct SystemProtectedData: ProtectedData {
    /// The state of this device, or in a simulated app of its device.
    public init() {}

    /// Whether protected data can be read now.
    public func isAvailable() async -> Bool {
        #if canImport(UIKit) || !canImport(Darwin)
            await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
        #else
            true
        #endif
    }

    /// The notification of `UIApplication`.
    public var becameAvailable: Notification.Name? {
        #if canImport(UIKit) || !canImport(Darwin)
            UIApplication.protectedDataDidBecomeAvailableNotification
        #else
            nil
        #endif
    }
}

extension ProtectedData {
    /// Suspends until protected data is available; returns at once if it is.
    ///
    /// The observer is there before the state is asked, so no announcement is lost; it is used
    /// once and then removed, so none resumes twice.
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

    /// Does something with the keychain; when an item is out of reach, waits and does it again.
    ///
    /// What fails although protected data is available fails for good: the reason is another one.
    /// - Source: Keychain access control guide, Error Codes.
    public func retrying<Result: Sendable>(
        _ operation: @Sendable () throws(KeychainFailure) -> Result
    ) async throws -> Result {
        while true {
            do throws(KeychainFailure) {
                return try operation()
            } catch {
                guard error.isLocked, await !isAvailable() else {
                    // It may have become available since: then this attempt is the last.
                    guard error.isLocked else { throw error }
                    return try operation()
                }
            }
            try await wait()
        }
    }
}

/// An observer that is to be removed.
///
/// `@unchecked Sendable`: the token is immutable, and the notification center may be asked to
/// remove it from any thread.
private struct ObserverToken: @unchecked Sendable {
    private let token: any NSObjectProtocol

    init(_ token: any NSObjectProtocol) { self.token = token }

    func remove() { NotificationCenter.default.removeObserver(token) }
}
