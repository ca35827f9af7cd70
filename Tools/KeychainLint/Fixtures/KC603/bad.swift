import SwiftUI

@main
struct NotesApp: App {  // expect
    let store = KeychainStore()
    var body: some Scene { WindowGroup { NotesView(store: store) } }
}
