import FirebaseCore

func start() {
    FirebaseApp.configure()  // expect
    performCleanupIfNeeded()
}
