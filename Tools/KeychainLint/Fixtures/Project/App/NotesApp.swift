import SwiftUI
import UIKit

@main
struct NotesApp: App {  // finds KC603
    @UIApplicationDelegateAdaptor private var delegate: NotesDelegate
    private let store = TokenStore()

    var body: some Scene { WindowGroup { SignInView(keychain: store) } }
}

final class NotesDelegate: NSObject, UIApplicationDelegate {}

struct SignInView: View {
    let keychain: TokenStore
    @State private var token = ""

    var body: some View {
        SecureField("Token", text: $token)
            .onSubmit { try? keychain.save(Data(token.utf8)) }
    }
}
