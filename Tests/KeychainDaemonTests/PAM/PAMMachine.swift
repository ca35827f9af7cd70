import Foundation
import Glibc
import TestSupport

/// A system daemon of one test, and a PAM service with our module, for the account `games`.
///
/// Another module puts in what a person would have typed. It takes root.
final class PAMMachine {
    static let account = "games"

    private let root: String
    /// Where our module is, and one that puts in what a person would have typed.
    private let modules: String
    /// PAM looks for it in lower case.
    private let service = "keychain-test-" + UUID().uuidString.lowercased()
    private var daemon: TestProcess?
    let socket: String

    /// Whether this machine can run it.
    static var isPossible: Bool {
        geteuid() == 0 && access("/usr/bin/pamtester", X_OK) == 0
            && access("/usr/bin/setpriv", X_OK) == 0 && getpwnam(account) != nil
    }

    init() throws {
        root = FileManager.default.temporaryDirectory.path + "/pam-" + UUID().uuidString
        socket = root + "/run/socket"
        modules = try Self.compiled.get()
        for (path, mode) in [("", 0o755), ("/bin", 0o755), ("/run", 0o755), ("/state", 0o700)] {
            try FileManager.default.createDirectory(
                atPath: root + path,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: mode]
            )
        }
        for program in ["keychaind", "keychainctl", "keychain-pam"] {
            // A process that other tests start meanwhile has no descriptor that writes it.
            let copy = try run(["/bin/cp", MessageBus.product(program), root + "/bin/" + program])
            guard copy.status == 0 else { throw CocoaError(.fileWriteUnknown) }
        }
        try startDaemon()
    }

    deinit {
        daemon = nil
        unlink("/etc/pam.d/" + service)
        Litter.remove(root)
    }

    @discardableResult
    private func run(_ words: [String], input: String = "") throws -> (status: Int32, text: String)
    {
        let result = try runProgram(words, input: input)
        return (result.status, result.output)
    }

    private static let moduleFolder =
        FileManager.default.temporaryDirectory.path + "/pam-modules-\(getpid())"
    /// The modules, which are compiled once for all tests.
    private static let compiled = Result { try compile() }

    private static func compile() throws -> String {
        atexit { Litter.remove(PAMMachine.moduleFolder) }
        let folder = moduleFolder
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        let source = folder + "/set.c"
        try settingModule.write(toFile: source, atomically: false, encoding: .utf8)
        let repository = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let script = repository.path + "/Scripts/pam-module.sh"
        let compiler = ["cc", "-shared", "-fPIC", "-w", "-o", folder + "/set.so"]
        for words in [[script, folder + "/pam_keychain.so"], compiler + [source, "-lpam"]] {
            let result = try runProgram(words)
            guard result.status == 0 else { throw ProgramFailure(description: result.output) }
        }
        return folder
    }

    private func startDaemon() throws {
        let words = [
            root + "/bin/keychaind", "--system", "--foreground", "--no-witness",
            "--state", root + "/state", "--socket", socket,
        ]
        let program = try TestProgram(words, environment: ["KEYCHAIN_UNLOCK_TIME": "0"])
        let process = try program.start(hears: [STDERR_FILENO])
        daemon = process
        try process.hear(until: "serves every account")
    }

    /// Has PAM do something for the account.
    ///
    /// - Parameters:
    ///   - deed: As pamtester spells it.
    ///   - old: The old password of a change.
    ///   - new: The password.
    ///   - place: The daemon's socket; nil for that of the test.
    ///   - seconds: The module's time limit; nil for the usual one.
    /// - Returns: Whether PAM agreed, and what the person was told.
    /// - Throws: What keeps the service from being written or run.
    func told(
        _ deed: String,
        old: String = "",
        new: String,
        at place: String? = nil,
        seconds: Int? = 250
    ) throws -> (agreed: Bool, text: String) {
        let limit = seconds.map { " seconds=\($0)" } ?? ""
        let ours =
            "\(modules)/pam_keychain.so helper=\(root)/bin/keychain-pam socket=\(place ?? socket)"
            + limit
        let lines = ["auth", "password"].flatMap { kind in
            ["\(modules)/set.so old=\(old) new=\(new)", ours, "pam_permit.so"]
                .map { "\(kind) required \($0)\n" }
        }
        let session = "session required \(ours)\nsession required pam_permit.so\n"
        try (lines.joined() + session)
            .write(toFile: "/etc/pam.d/" + service, atomically: false, encoding: .utf8)
        let result = try run(["/usr/bin/pamtester", service, Self.account, deed])
        return (result.status == 0, result.text)
    }

    /// Has PAM do something for the account; whether it agreed.
    func pam(
        _ deed: String,
        old: String = "",
        new: String,
        at place: String? = nil,
        seconds: Int? = 250
    ) throws -> Bool {
        try told(deed, old: old, new: new, at: place, seconds: seconds).agreed
    }

    /// Runs the command as the account.
    @discardableResult
    func command(_ words: String..., input: String = "") throws -> String {
        let account = ["--reuid", Self.account, "--regid", Self.account, "--clear-groups"]
        let variables = ["-i", "HOME=/nonexistent", "KEYCHAIN_SOCKET=" + socket]
        let start = ["/usr/bin/setpriv"] + account + ["/usr/bin/env"] + variables
        return try run(start + [root + "/bin/keychainctl"] + words, input: input).text
    }

    /// Has the module's program run with a group that its account does not have.
    func protect() throws {
        try run(["/usr/bin/env", "chgrp", "daemon", root + "/bin/keychain-pam"])
        try run(["/usr/bin/env", "chmod", "2755", root + "/bin/keychain-pam"])
    }

    /// Takes the group away.
    func unprotect() throws {
        try run(["/usr/bin/env", "chmod", "755", root + "/bin/keychain-pam"])
    }

    /// The lock state, and how many wrong passcodes were counted.
    var state: String {
        get throws {
            let text = try command("status", "--json")
            let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
            guard let state = object?["state"] as? String,
                let failed = object?["failedAttempts"] as? Int
            else { return text }
            return "\(state), \(failed)"
        }
    }

    /// Has the daemon hang.
    func stopDaemon() { daemon?.send(SIGSTOP) }

    /// A module that puts in what a person would have typed.
    private static let settingModule = """
        #include <security/pam_modules.h>
        #include <string.h>
        static int set(pam_handle_t *handle, int count, const char **words) {
            for (int index = 0; index < count; index++) {
                if (strncmp(words[index], "old=", 4) == 0)
                    pam_set_item(handle, PAM_OLDAUTHTOK, words[index] + 4);
                if (strncmp(words[index], "new=", 4) == 0)
                    pam_set_item(handle, PAM_AUTHTOK, words[index] + 4);
            }
            return PAM_SUCCESS;
        }
        int pam_sm_authenticate(pam_handle_t *handle, int flags, int count, const char **words) {
            return set(handle, count, words);
        }
        int pam_sm_chauthtok(pam_handle_t *handle, int flags, int count, const char **words) {
            return set(handle, count, words);
        }
        int pam_sm_setcred(pam_handle_t *handle, int flags, int count, const char **words) {
            return PAM_SUCCESS;
        }
        """
}
