import AuthenticationServices

func signIn(_ url: URL) -> ASWebAuthenticationSession {
    ASWebAuthenticationSession(url: url, callbackURLScheme: "notes") { finish($0, $1) }
}
