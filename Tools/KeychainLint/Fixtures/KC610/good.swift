import UIKit

func waitForProtectedData() async {
    let name = UIApplication.protectedDataDidBecomeAvailableNotification
    for await _ in NotificationCenter.default.notifications(named: name) { break }
}
