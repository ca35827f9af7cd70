import LocalAuthentication

final class LockScreen {
    var isUnlocked = false

    func unlock() {
        let context = LAContext()
        context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Open notes") { success, _ in  // expect
            if success { self.isUnlocked = true }
        }
    }
}
