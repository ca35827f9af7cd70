import Foundation
import Glibc
import KeychainMessages
import KeychainModel

/// The directories of a run, which its processes find in their environment.
struct TortureHome {
    let directory: String
    private let isTemporary: Bool
    private let runtime = "/dev/shm/keychain-torture-" + UUID().uuidString

    init(_ directory: String?) {
        isTemporary = directory == nil
        let temporary = FileManager.default.temporaryDirectory.path
        self.directory = directory ?? temporary + "/keychain-torture-" + UUID().uuidString
    }

    /// Makes every call of this process and its children use the directory from now on.
    func enter() {
        setenv("KEYCHAIN_HOME", directory, 1)
        unsetenv("KEYCHAIN_SOCKET")
        unsetenv("KEYCHAIN_ENTITLEMENTS")
        if mkdir(runtime, 0o700) == 0 { setenv("XDG_RUNTIME_DIR", runtime, 1) }
    }

    /// Removes the files of the run; a keychain that lost something stays for inspection.
    func leave(keepingKeychain: Bool) {
        // A directory that cannot be removed does no harm.
        try? FileManager.default.removeItem(atPath: runtime)
        guard isTemporary, !keepingKeychain else { return }
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Checks the keychain, to which no process writes now; nil if it is sound.
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
