import SwiftUI
@main struct A: App {
    init() { LegacyImporter().run() }
    var body: some Scene { WindowGroup { Text("") } }
}
struct LegacyImporter {
    func run() {  // expect
        for key in ["a", "b"] {
            guard let old = OldKeychain.read(key) else { continue }
            NewKeychain.save(old, key)
        }
    }
}
