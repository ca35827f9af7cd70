import LocalAuthentication

final class LockScreen {
    var isUnlocked = false

    func unlock() {
        let context = LAContext()
        context.evaluatePolicy(  // expect
            .deviceOwnerAuthentication,
            localizedReason: "Open notes"
        ) { success, _ in
            if success { self.isUnlocked = true }
        }
    }
}
