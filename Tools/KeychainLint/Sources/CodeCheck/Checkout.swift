import Foundation
import LintModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A checkout of swift-keychain with built modules and a built simulator.
package struct Checkout: Sendable {
    let root: URL
    /// Whether the user named the checkout, so that its place needs no check.
    private let isNamed: Bool

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Finds the checkout at a path, or else the one in which this program was built.
    ///
    /// - Throws: `Problem` if there is none, or if other users can change the one that was found.
    package init(path: String?) throws(Problem) {
        if let path {
            guard Self.isCheckout(URL(filePath: path)) else {
                throw Problem(description: "\(path) is no checkout of swift-keychain")
            }
            (root, isNamed) = (URL(filePath: path), true)
            return
        }
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(filePath: program ?? "/").deletingLastPathComponent()
        while folder.pathComponents.count > 1 {
            if Self.isCheckout(folder) {
                (root, isNamed) = (folder, false)
                try requireSafe(folder)
                return
            }
            folder.deleteLastPathComponent()
        }
        throw Problem(description: "no checkout of swift-keychain is around; name one: --package")
    }

    private static func isCheckout(_ folder: URL) -> Bool {
        let manifest = folder.appending(path: "Package.swift").path
        guard ProjectFiles.isPlainFile(manifest) else { return false }
        let text = try? String(contentsOfFile: manifest, encoding: .utf8)
        return text?.contains("name: \"swift-keychain\"") == true
    }

    private var builds: [URL] {
        ["debug", "release"].map { root.appending(path: ".build/\($0)") }
    }

    private static func has(_ file: String, _ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: file).path)
    }

    /// The directory with the built modules; nil if they are not built.
    var modules: URL? {
        builds.map { $0.appending(path: "Modules") }.first {
            Self.has("Security.swiftmodule", $0) && Self.has("LocalAuthentication.swiftmodule", $0)
        }
    }

    /// The program that runs scenarios; nil if it has not been built.
    var simulate: URL? {
        builds.map { $0.appending(path: "keychain-simulate") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    /// The time limit for a build, which is four times the time on a machine with one processor.
    private static let buildSeconds = 3600

    /// Builds the missing parts, and then checks that only the user can change them.
    func build(_ progress: (String) -> Void) throws {
        var words: [[String]] = []
        if modules == nil {
            words += ["Security", "LocalAuthentication"].map { ["--target", $0] }
        }
        if simulate == nil { words.append(["--product", "keychain-simulate"]) }
        guard !words.isEmpty, let swift = Program.named("swift") else { return }
        for part in words {
            progress("building \(part[1]) of swift-keychain, which takes minutes the first time")
            let all = ["build", "--package-path", root.path] + part
            let outcome = try Program(swift, all, seconds: Self.buildSeconds).run()
            if let ending = outcome.ending { throw Problem(description: "swift build \(ending)") }
        }
    }
}

// Checks of the directories: a user who can write to one can put another program into it.
extension Checkout {
    /// Checks the modules and the program at their real paths, because links may lead elsewhere.
    func requireSafeBuild() throws(Problem) {
        for place in [modules, simulate].compactMap({ $0 }) { try requireSafe(place) }
    }

    /// Requires that a file and every directory above it belong to the user or to root.
    ///
    /// Other users must not be able to write to them.
    ///
    /// A directory above may have the sticky bit, as /tmp has: then others cannot replace the
    /// user's files.
    private func requireSafe(_ place: URL) throws(Problem) {
        guard !isNamed else { return }
        guard let resolved = realpath(place.path, nil) else {
            throw Problem(description: "\(place.path) does not exist")
        }
        var folder = URL(filePath: String(cString: resolved))
        free(resolved)
        var isFirst = true
        while true {
            if let reason = Self.risk(of: folder.path, acceptsSticky: !isFirst) {
                throw Problem(
                    description: "refused the checkout \(root.path), because \(reason);"
                        + " if you trust it, name it: --package \(root.path)"
                )
            }
            guard folder.pathComponents.count > 1 else { return }
            folder.deleteLastPathComponent()
            isFirst = false
        }
    }

    /// Returns the users who can change a directory's content, as text; nil if there are none.
    private static func risk(of path: String, acceptsSticky: Bool) -> String? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return "\(path) is not readable" }
        guard [0, geteuid()].contains(status.st_uid) else {
            return "\(path) belongs to another user"
        }
        let mode = UInt32(status.st_mode)
        if acceptsSticky, mode & 0o1000 != 0 { return nil }
        return mode & 0o022 == 0 ? nil : "other users can write to \(path)"
    }
}
