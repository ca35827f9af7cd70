import UIKit

final class LockModel: ObservableObject {
    @Published var isLocked = !UIApplication.shared.isProtectedDataAvailable  // expect
    func load() throws -> Data? { isLocked ? nil : try Keychain.read("t") }
}
