import Cryptography
import DataProtection
import Glibc

/// The session image of versions without lock epochs, which did not notice a lock.
///
/// - Source: Documentation/Spec/keybag.md §5, "Earlier versions".
enum LegacySessionImage {
    /// Removes the image of a keychain directory from every possible place.
    static func remove(of home: KeychainHome, _ environment: ProcessEnvironment) {
        let name = name(of: home)
        var places = ["/dev/shm/keychain-\(environment.userID)"]
        if let runtime = environment["XDG_RUNTIME_DIR"] { places.append(runtime + "/keychain") }
        for place in places {
            let directory = place + "/" + name
            unlink(directory + "/session")
            unlink(directory + "/session.new")
            rmdir(directory)
        }
    }

    private static func name(of home: KeychainHome) -> String {
        var path = home.directory
        if let resolved = realpath(path, nil) {
            path = String(cString: resolved)
            free(resolved)
        }
        let digest = (try? Digest.sha256(Array(path.utf8))) ?? Array(path.utf8)
        return digest.prefix(16).map { byte in
            let text = String(byte, radix: 16)
            return text.count == 1 ? "0" + text : text
        }.joined()
    }
}
