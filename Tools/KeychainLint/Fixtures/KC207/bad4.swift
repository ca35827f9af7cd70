import SwiftUI

struct Root: View {
    @State private var unlocked = UIApplication.shared.isProtectedDataAvailable  // expect
    var body: some View { unlocked ? AnyView(Text("a")) : AnyView(Text("b")) }
}
