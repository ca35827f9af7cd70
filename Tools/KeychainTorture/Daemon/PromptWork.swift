import Foundation
import Glibc
import KeychainHost
import KeychainMessages
import KeychainModel
import KeychainServices
import Secrets

/// The work of a process for prompts that remain unanswered.
enum PromptWork: String {
    /// Sets a passcode, and adds an item that only this passcode opens.
    case `guard`
    /// Unlocks the keychain with that passcode.
    case unlock
    /// Reads that item.
    case find

    private static var query: [String: Any] {
        [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: "torture-prompts",
            kSecAttrAccount as String: "guarded",
        ]
    }

    /// Does the work, and writes `done STATUS`.
    func run() {
        let status =
            switch self {
            case .guard: makeItem()
            case .unlock: tell(.unlock(passcode: Self.passcode))
            case .find: find()
            }
        OutputLine.write("done \(status)", to: STDOUT_FILENO)
    }

    /// The passcode of the keychain.
    static var passcode: SharedSecret {
        SharedSecret(Secret(copying: Array("0000".utf8)))
    }

    private func makeItem() -> OSStatus {
        let status = tell(.setPasscode(Self.passcode, current: nil))
        guard status == errSecSuccess else { return status }
        let control = SecAccessControlCreateWithFlags(
            nil,
            kSecAttrAccessibleWhenUnlocked,
            .devicePasscode,
            nil
        )
        guard let control else { return errSecParam }
        var attributes = Self.query
        attributes[kSecAttrAccessControl as String] = control
        // keychain-lint:disable:next KC903 -- nobody has to keep it secret: the check stores it
        attributes[kSecValueData as String] = Data("guarded".utf8)
        return SecItemAdd(attributes as CFDictionary, nil)
    }

    private func find() -> OSStatus {
        var query = Self.query
        query[kSecReturnData as String] = true
        var found: CFTypeRef?
        return SecItemCopyMatching(query as CFDictionary, &found)
    }

    private func tell(_ request: DeviceRequest) -> OSStatus {
        do throws(KeychainError) {
            _ = try RequestRouter.endpoint().send(.device(request))
            return errSecSuccess
        } catch { return error.status.rawValue }
    }
}
