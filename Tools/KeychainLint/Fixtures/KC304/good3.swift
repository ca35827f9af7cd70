import LocalAuthentication

struct Door {
    func authenticate(then open: @escaping (LAContext) -> Void) {
        let context = LAContext()
        context.evaluatePolicy(
            .deviceOwnerAuthentication,
            localizedReason: "Open the diary"
        ) { isOwner, _ in
            // The keychain checks the context once more when the diary's key is read.
            if isOwner { open(context) }
        }
    }
}
