import Cryptography
import Foundation
import KeychainHost
import KeychainModel
import Secrets

/// A keychain of this machine in a directory of its own, with a reader that knows one finger and
/// somebody who presents it, and who types the passcode.
final class HostMachine {
    private let root = FileManager.default.temporaryDirectory.path + "/host-" + UUID().uuidString
    private let endpoint: CarriedMachine

    /// Opens it under the behavior that `KEYCHAIN_BEHAVIOR` names; nil: the variable is not set.
    init(behavior: String?) throws {
        let variables = [
            "KEYCHAIN_PROMPT": "none", "KEYCHAIN_FINGERPRINT": try Self.makeReader(in: root),
            "KEYCHAIN_BEHAVIOR": behavior,
        ]
        let opened = try EmbeddedKeychain.open(
            KeychainHome(directory: root + "/keychain"),
            ProcessEnvironment(executable: root + "/program") { variables[$0] ?? nil },
            stretchingCost: { Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1) }
        )
        endpoint = CarriedMachine(opened.engine, opened.caller, HostOwner())
        // The machine's own way of asking looks at the reader.
        _ = try opened.send(.authenticate(.biometryStatus))
        _ = try endpoint.send(.device(.setPasscode(HostOwner.passcode, current: nil)))
    }

    /// A program that answers as `keychain-fingerprint` does.
    private static func makeReader(in root: String) throws -> String {
        let files = FileManager.default
        try files.createDirectory(atPath: root, withIntermediateDirectories: true)
        let path = root + "/reader"
        let script = "#!/bin/sh\nprintf 'finger \(HostOwner.finger)\\nend\\n'\n"
        try Data(script.utf8).write(to: URL(fileURLWithPath: path))
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    /// Runs code as a program of this machine.
    func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        try RequestRouter.$current.withValue(endpoint, operation: body)
    }
}

/// Somebody who does what is wanted.
private struct HostOwner: Prompter {
    static let finger = "right-thumb"
    static let passcode = SharedSecret(Secret(copying: Array("correct horse".utf8)))

    func answer(_ prompt: Prompt) -> PromptAnswer {
        if case .biometry = prompt.kind { return .presented(Array(Self.finger.utf8)) }
        return .typed(Self.passcode)
    }
}
