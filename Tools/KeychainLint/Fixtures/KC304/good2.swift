import LocalAuthentication

final class Settings {
    var onShowDetails: () -> Void = {}
    var showsHiddenRows = false

    func authenticateForDetails() {
        let context = LAContext()
        context.evaluatePolicy(
            .deviceOwnerAuthentication,
            localizedReason: "Show the hidden rows"
        ) { success, _ in
            if success {
                self.showsHiddenRows = true
                self.onShowDetails()
            }
        }
    }

    func confirmDeletion(then delete: @escaping () -> Void) {
        LAContext().evaluatePolicy(
            .deviceOwnerAuthentication,
            localizedReason: "Delete the draft"
        ) { success, _ in
            if success { delete() }
        }
    }
}
