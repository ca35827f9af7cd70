import FirebaseCore

func start() {
    performCleanupIfNeeded()
    FirebaseApp.configure()
}
