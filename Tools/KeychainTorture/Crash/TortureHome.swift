import Foundation
import Glibc
import KeychainMessages
import KeychainModel

/// The directories of the run, named to this process and its workers.
struct TortureHome {
    let directory: String
    private let isTemporary: Bool
    private let runtime = "/dev/shm/keychain-torture-" + UUID().uuidString

    init(_ directory: String?) {
        isTemporary = directory == nil
        let temporary = FileManager.default.temporaryDirectory.path
        self.directory = directory ?? temporary + "/keychain-torture-" + UUID().uuidString
    }

    /// From here on every call of this process and its children goes to the directory.
    func enter() {
        setenv("KEYCHAIN_HOME", directory, 1)
        unsetenv("KEYCHAIN_SOCKET")
        unsetenv("KEYCHAIN_ENTITLEMENTS")
        if mkdir(runtime, 0o700) == 0 { setenv("XDG_RUNTIME_DIR", runtime, 1) }
    }

    /// Removes what the run made; a keychain that lost something is kept to be looked at.
    func leave(keepingKeychain: Bool) {
        // A directory that cannot be removed is in nobody's way.
        try? FileManager.default.removeItem(atPath: runtime)
        guard isTemporary, !keepingKeychain else { return }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// What a check finds in the keychain, in which nobody is writing any more; nil for nothing.
    func complaint() -> String? {
        do throws(KeychainError) {
            let rig = try Rig(directory)
            defer { rig.close() }
            var faults: [CheckFault] = []
            _ = try rig.engine().check(naming: { faults.append($0) })
            return faults.isEmpty ? nil : "a check finds \(faults)"
        } catch { return "it cannot be checked: \(error)" }
    }
}
