import Cryptography
import Foundation
import Glibc
import KeychainEngine
import KeychainHost
import KeychainModel

/// A keychain directory of one test, removed with it.
package final class TestHome {
    package static let groups = ["TEAM.app", "TEAM.shared"]

    /// What holds everything else.
    package let root: String
    package let runtime: String
    package let home: KeychainHome

    package init() throws {
        let name = "keychain-test-" + UUID().uuidString
        root = FileManager.default.temporaryDirectory.path + "/" + name
        runtime = (access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : root + "-") + name
        home = KeychainHome(directory: root + "/keychain")
        for directory in [root, runtime] { try require(mkdir(directory, 0o700) == 0, directory) }
    }

    deinit {
        for image in sessionImages { unlink(image) }
        for directory in [root, runtime] { try? FileManager.default.removeItem(atPath: directory) }
    }

    package var directory: String { home.directory }

    package func environment(_ more: [String: String] = [:]) -> ProcessEnvironment {
        let own = ["KEYCHAIN_HOME": directory, "XDG_RUNTIME_DIR": runtime]
        let variables = own.merging(more) { $1 }
        return ProcessEnvironment(executable: root + "/program") { variables[$0] }
    }

    /// Opens the directory as a process of its own would.
    ///
    /// A passcode that is set is hardly stretched, unless its cost is what is tested.
    package func open(
        _ groups: [String] = groups,
        stretchingCost: @escaping @Sendable () -> Argon2id.Cost = {
            Argon2id.Cost(memoryKiB: 32, passes: 1, lanes: 1)
        }
    ) throws -> TestKeychain {
        let opened = try EmbeddedKeychain.open(
            home,
            environment(),
            stretchingCost: stretchingCost
        )
        return TestKeychain(
            EngineEndpoint(
                engine: opened.engine,
                caller: TestKeychain.caller(groups),
                note: { _ in }
            )
        )
    }

    /// Why the directory cannot be opened; nil when it can.
    package func refusal() -> KeychainError? {
        do throws(KeychainError) {
            _ = try EmbeddedKeychain.open(home, environment())
            return nil
        } catch { return error }
    }

    /// The session images of the keychain, by path: their names begin with its keybag's.
    package var sessionImages: [String] {
        guard let keybag = try? read(home.keybag), keybag.count > 20 else { return [] }
        let name = keybag[12..<20].map { String(format: "%02x", $0) }.joined()
        return ["/run/user/\(geteuid())", "/dev/shm", runtime].flatMap { place in
            MemoryDirectory.names(in: place, startingWith: "keychain-\(name)-")
                .map { place + "/" + $0 }
        }
    }

    /// Every file of the keychain and of its session, by path.
    package func files() throws -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for image in sessionImages { found[image] = try read(image) }
        for top in [directory, runtime] {
            let names = FileManager.default.enumerator(atPath: top)?.compactMap { $0 as? String }
            for name in names ?? [] {
                let path = top + "/" + name
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                    continue
                }
                found[path] = try read(path)
            }
        }
        return found
    }

    /// Makes the keychain's directory with copies of the files of another.
    package func fill(from folder: String) throws {
        try require(mkdir(directory, 0o700) == 0, directory)
        for file in ["keybag", "secure-element", "keychain.db"] {
            let path = directory + "/" + file
            try require(FileFacts.make(path), path)
            try write(try read(folder + "/" + file), to: path)
        }
    }

    package func read(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// Puts bytes in place of a file's, keeping the file.
    package func write(_ bytes: [UInt8], to path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: bytes)
        try handle.close()
    }
}

/// A step of a test that the system refused.
package struct SystemRefusal: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// Fails with what the system says unless a step is done.
package func require(_ isDone: Bool, _ what: String) throws {
    let reason = String(cString: strerror(errno))
    guard isDone else { throw SystemRefusal("\(what): \(reason)") }
}
