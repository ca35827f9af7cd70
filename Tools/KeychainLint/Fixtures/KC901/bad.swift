import Foundation

func remember(_ session: Session) {
    UserDefaults.standard.set(session.accessToken, forKey: "accessToken")  // expect
    UserDefaults.standard.set(session.tokenCount, forKey: "tokenCount")
    UserDefaults.standard["password"] = session.password  // expect
}
