import UIKit

final class LockModel {
    private(set) var isLocked = !UIApplication.shared.isProtectedDataAvailable

    func follow() {
        let center = NotificationCenter.default
        let names = [
            UIApplication.protectedDataDidBecomeAvailableNotification,
            UIApplication.protectedDataWillBecomeUnavailableNotification,
        ]
        for name in names {
            center.addObserver(self, selector: #selector(look), name: name, object: nil)
        }
    }

    @objc private func look() { isLocked = !UIApplication.shared.isProtectedDataAvailable }
}

struct Gate {
    var isOpen: Bool { UIApplication.shared.isProtectedDataAvailable }
}
