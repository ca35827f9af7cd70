import UIKit

func waitForProtectedData() async {
    await withCheckedContinuation { continuation in
        NotificationCenter.default.addObserver(  // expect
            forName: UIApplication.protectedDataDidBecomeAvailableNotification,
            object: nil,
            queue: nil
        ) { _ in continuation.resume() }
    }
}
