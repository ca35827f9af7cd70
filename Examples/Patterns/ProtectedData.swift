import Foundation

#if os(iOS) || os(tvOS) || os(visionOS)
    import UIKit
#elseif !canImport(Darwin)
    import ApplicationShim
#endif

/// Whether files and items that a locked device closes are readable now.
///
/// The system can start an app before the first unlock. Everything then looks empty: defaults,
/// files, and most items. Code that decides something from what it finds has to wait.
@MainActor
struct ProtectedData {
    var isAvailable: Bool {
        #if os(macOS) || os(watchOS)
            true
        #else
            UIApplication.shared.isProtectedDataAvailable
        #endif
    }

    /// Suspends until protected data is available, or returns at once if it is.
    func waitUntilAvailable() async {
        #if !(os(macOS) || os(watchOS))
            // Observe first and look afterwards, so that no unlock gets lost in between.
            let unlocks = AsyncStream<Void> { stream in
                let center = NotificationCenter.default
                let name = UIApplication.protectedDataDidBecomeAvailableNotification
                // A token that nobody changes; the center may remove it from any thread.
                nonisolated(unsafe) let token = center.addObserver(
                    forName: name,
                    object: nil,
                    queue: nil
                ) { _ in stream.yield() }
                stream.onTermination = { _ in center.removeObserver(token) }
            }
            guard !isAvailable else { return }
            for await _ in unlocks where isAvailable { return }
        #endif
    }
}
