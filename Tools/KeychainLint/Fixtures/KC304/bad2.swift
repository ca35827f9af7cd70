import LocalAuthentication

struct Door {
    var onOpen: () -> Void

    func authenticate() {
        LAContext().evaluatePolicy(  // expect
            .deviceOwnerAuthentication,
            localizedReason: "Open the diary"
        ) { isOwner, _ in
            guard isOwner else { return }
            Task { @MainActor in onOpen() }
        }
    }
}
