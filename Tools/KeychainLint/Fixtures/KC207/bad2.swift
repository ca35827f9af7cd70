import UIKit

@MainActor final class Vault {
    enum State { case open, locked }
    private let state: State
    init() { state = UIApplication.shared.isProtectedDataAvailable ? .open : .locked }  // expect
    func read() throws -> Data? { state == .open ? try Keychain.read("t") : nil }
}
