import os

func signedIn(_ token: String, _ session: Session) {
    print("signed in, \(token.count) bytes")
    logger.info("token \(session.token, privacy: .private)")
    logger.debug("token \(token)")
    os_log("failed: %{public}@", session.error)
}
