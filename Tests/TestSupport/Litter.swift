import Foundation
import Glibc

/// What tests leave behind unless somebody takes it away.
package enum Litter {
    /// Removes a folder of a test, and the session images of the keychains in it.
    ///
    /// Images are in memory that all processes share: `/run/user` or `/dev/shm`.
    package static func remove(_ folder: String) {
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        where name == "keybag" || name.hasSuffix("/keybag") {
            removeImages(ofKeybag: folder + "/" + name)
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Has a shell remove a folder when this process has ended, in whatever way.
    ///
    /// - Returns: The shell, which is to live as long as the process.
    /// - Throws: What keeps it from being started.
    package static func removeAtEnd(_ folder: String) throws -> TestProcess {
        let script = "trap '' INT TERM HUP; cat >/dev/null; rm -rf \"$1\""
        return try TestProgram(["/bin/sh", "-c", script, "sh", folder])
            .start(hears: [], hasInput: true)
    }

    /// Removes the session images of one keychain, whose names begin with its number.
    private static func removeImages(ofKeybag path: String) {
        guard let bytes = FileManager.default.contents(atPath: path), bytes.count >= 20 else {
            return
        }
        let number = bytes[12..<20].map { String(format: "%02x", $0) }.joined()
        for place in ["/run/user/\(geteuid())", "/dev/shm"] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
            for name in names where name.hasPrefix("keychain-\(number)-") {
                unlink(place + "/" + name)
            }
        }
    }
}
