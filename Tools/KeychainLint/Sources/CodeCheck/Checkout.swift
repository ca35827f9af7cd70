import Foundation

/// A checkout of swift-keychain whose build has the modules and the simulator.
package struct Checkout: Sendable {
    let root: URL

    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The checkout at a path, or else the one that this program was built in.
    package init(path: String?) throws(Problem) {
        if let path {
            guard Self.isCheckout(URL(filePath: path)) else {
                throw Problem(description: "\(path) is no checkout of swift-keychain")
            }
            root = URL(filePath: path)
            return
        }
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(filePath: program ?? "/").deletingLastPathComponent()
        while folder.pathComponents.count > 1 {
            if Self.isCheckout(folder) {
                root = folder
                return
            }
            folder.deleteLastPathComponent()
        }
        throw Problem(description: "no checkout of swift-keychain is around; name one: --package")
    }

    private static func isCheckout(_ folder: URL) -> Bool {
        let text = try? String(contentsOf: folder.appending(path: "Package.swift"), encoding: .utf8)
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

    /// The program that runs scenarios; nil if it is not built.
    var simulate: URL? {
        builds.map { $0.appending(path: "keychain-simulate") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
    }

    /// Builds what is missing.
    func build(_ progress: (String) -> Void) throws {
        var words: [[String]] = []
        if modules == nil {
            words += ["Security", "LocalAuthentication"].map { ["--target", $0] }
        }
        if simulate == nil { words.append(["--product", "keychain-simulate"]) }
        guard !words.isEmpty, let swift = Program.named("swift") else { return }
        for part in words {
            progress("building \(part[1]) of swift-keychain, which takes minutes the first time")
            _ = try Program.run(swift, ["build", "--package-path", root.path] + part)
        }
    }
}
