import Glibc
import KeychainModel

/// The socket of a simulated device that `keychainctl simulate --serve` runs.
///
/// - Source: the public contract; Documentation/Spec/scenario.md §8.
package struct SimulationSocket: Sendable, Hashable {
    /// The variable that names a device for programs.
    package static let variable = "KEYCHAIN_SIM"

    /// The most bytes of a socket's path.
    private static let pathByteCountLimit = 107
    private static let nameByteCountLimit = 64

    /// The device's name.
    package let name: String
    /// The paths where the device may listen, in order.
    package let candidates: [String]
    private let userID: UInt32
    /// Whether the device has a name, so that its directory has to be private.
    private let isNamed: Bool

    /// Returns the device in `KEYCHAIN_SIM`; nil if it is unset, and for a protected program.
    ///
    /// - Throws: `errSecParam` for a value that is neither a name nor an absolute path.
    package static func named(
        in environment: ProcessEnvironment
    ) throws(KeychainError) -> SimulationSocket? {
        guard !environment.isProtected, let word = environment[variable] else { return nil }
        return try SimulationSocket(word, environment)
    }

    /// - Parameters:
    ///   - word: A name, or the absolute path of a socket.
    ///   - environment: The environment, for its account and `XDG_RUNTIME_DIR`.
    /// - Throws: `errSecParam` for any other word.
    package init(_ word: String, _ environment: ProcessEnvironment) throws(KeychainError) {
        userID = environment.userID
        isNamed = !word.contains("/")
        if isNamed {
            guard Self.isName(word) else {
                let rule = "use up to 64 letters, digits and . _ -, or an absolute path"
                throw KeychainError(.param, "this is not the name of a simulated device: \(rule)")
            }
            name = word
            let run = "/run/user/\(userID)"
            let places = [environment["XDG_RUNTIME_DIR"] ?? run, run].map { $0 + "/keychain-sim" }
            let all = places + ["/tmp/keychain-sim-\(userID)"]
            candidates = all.reduce(into: []) { paths, place in
                let path = "\(place)/\(word).sock"
                if place.hasPrefix("/"), !paths.contains(path) { paths.append(path) }
            }
        } else {
            guard word.hasPrefix("/") else {
                let rule = "give an absolute path, or a name without a slash"
                throw KeychainError(.param, "the path of the simulated device is relative: \(rule)")
            }
            let last = word.split(separator: "/").last.map(String.init) ?? word
            name = last.hasSuffix(".sock") ? String(last.dropLast(".sock".count)) : last
            candidates = [word]
        }
        guard candidates.allSatisfy({ $0.utf8.count <= Self.pathByteCountLimit }) else {
            let rule = "a socket's path has at most \(Self.pathByteCountLimit) bytes"
            throw KeychainError(.param, "the path of the simulated device is too long: \(rule)")
        }
    }

    private static func isName(_ word: String) -> Bool {
        guard let first = word.utf8.first, word.utf8.count <= nameByteCountLimit,
            isLetterOrDigit(first)
        else { return false }
        return word.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

// For programs and for the command.
extension SimulationSocket {
    /// Returns the path where the device listens.
    ///
    /// - Throws: `errSecNotAvailable` if there is no socket, or if another account may have created
    ///   it.
    package func served() throws(KeychainError) -> String {
        for path in candidates {
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { continue }
            if isNamed { try requirePrivate(Self.directory(of: path)) }
            guard status.st_uid == userID else {
                throw KeychainError(.notAvailable, "\(path) belongs to another account")
            }
            return path
        }
        let command = "keychainctl simulate --serve \(isNamed ? name : candidates[0])"
        throw KeychainError(
            .notAvailable,
            "the simulated device \(name) is not running: start it with \(command)"
        )
    }

    /// Returns the path for a device to listen on, in a directory that only this account can enter.
    ///
    /// - Throws: `errSecIO` if no such directory can be created.
    package func prepare() throws(KeychainError) -> String {
        guard isNamed else { return candidates[0] }
        var failure: KeychainError?
        for path in candidates {
            let directory = Self.directory(of: path)
            if mkdir(directory, 0o700) != 0, errno != EEXIST {
                failure = failure ?? Self.refusal(directory, "cannot be made")
                continue
            }
            do throws(KeychainError) {
                try requirePrivate(directory)
                return path
            } catch { failure = failure ?? error }
        }
        throw failure ?? Self.refusal(candidates[0], "cannot be made")
    }

    private func requirePrivate(_ directory: String) throws(KeychainError) {
        var status = stat()
        guard lstat(directory, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw Self.refusal(directory, "is not a directory")
        }
        guard status.st_uid == userID, status.st_mode & 0o077 == 0 else {
            throw Self.refusal(directory, "is open to other accounts: remove it")
        }
    }

    private static func refusal(_ directory: String, _ fault: String) -> KeychainError {
        KeychainError(.io, "the directory for simulated devices, \(directory), \(fault)")
    }

    private static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return String(path[..<slash])
    }
}
