import os

func signedIn(_ token: String, _ session: Session) {
    print("signed in with \(token)")  // expect
    logger.info("token \(session.token, privacy: .public)")  // expect
    os_log("password %{public}@", session.password)  // expect
}
