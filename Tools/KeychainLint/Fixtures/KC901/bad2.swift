import SwiftUI

struct Settings: View {
    @AppStorage("apiKey") var apiKey = ""  // expect
    @AppStorage("hasPassword") var hasPassword = false
    var body: some View { Text("Settings") }
}
