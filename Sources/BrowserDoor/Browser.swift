import JSON
import Secrets

/// A browser that starts this program by a manifest in the account's home.
///
/// - Source: MDN, "Native manifests"; Chrome, "Native messaging".
package enum Browser: String, CaseIterable, Sendable {
    case firefox, chromium, chrome

    /// The name of the native host in the browsers' API and of the manifest.
    package static let hostName = "org.swift_keychain.browser"
    /// The identifier of the extension in Firefox.
    package static let firefoxExtension = "browser@swift-keychain"
    /// The identifier of the extension in Chromium, which follows from the key in its manifest.
    package static let chromiumExtension = "pdmadoffkgapkiemieconlphamgfllbk"

    private static let chromiumOrigin = "chrome-extension://\(chromiumExtension)/"

    /// Returns the directory in which the browser finds the account's manifests.
    ///
    /// - Parameters:
    ///   - home: The home directory of the account.
    ///   - configuration: The value of `XDG_CONFIG_HOME`; nil if it is not set.
    /// - Returns: An absolute path.
    package func directory(home: String, configuration: String?) -> String {
        let configuration = configuration ?? home + "/.config"
        return switch self {
        case .firefox: home + "/.mozilla/native-messaging-hosts"
        case .chromium: configuration + "/chromium/NativeMessagingHosts"
        case .chrome: configuration + "/google-chrome/NativeMessagingHosts"
        }
    }

    /// The name of the manifest's file.
    package static let fileName = hostName + ".json"

    /// Returns a manifest that lets only our extension start a program.
    package func manifest(program: String) -> String {
        let (key, name) =
            self == .firefox
            ? ("allowed_extensions", Self.firefoxExtension)
            : ("allowed_origins", Self.chromiumOrigin)
        let tree: JSONTree<Never> = .object([
            "name": .text(Self.hostName),
            "description": .text("Fills in passwords of swift-keychain"),
            "path": .text(program),
            "type": .text("stdio"),
            key: .list([.text(name)]),
        ])
        var output = ManifestOutput()
        tree.write(to: &output)
        return output.text
    }

    /// Returns the program in a manifest; nil if the manifest is not for our extension.
    package func program(inManifest bytes: [UInt8]) -> String? {
        let tree = try? JSONText.read(bytes, JSONLimits(depth: 4, byteCount: 16 << 10)) {
            text throws(JSONError) in try JSONTree<Never>(text)
        }
        guard case .object(let members)? = tree, case .text(let path)? = members["path"],
            case .text(Self.hostName)? = members["name"]
        else { return nil }
        return path
    }

    /// Whether a browser started the program for our extension, according to the arguments.
    ///
    /// Chromium passes the extension's origin. Firefox passes the manifest and the extension.
    package static func isStarted(by arguments: [String]) -> Bool {
        arguments.first == chromiumOrigin
            || arguments.count == 2 && arguments[0].hasSuffix("/" + fileName)
                && arguments[1] == firefoxExtension
    }
}

private struct ManifestOutput: JSONOutput {
    typealias Own = Never

    private(set) var text = ""

    mutating func append(raw text: String) { self.text += text }

    mutating func append(quoted text: String) {
        var bytes: [UInt8] = []
        Array(text.utf8).withUnsafeBytes { JSONString.write($0) { bytes.append($0) } }
        self.text += String(decoding: bytes, as: UTF8.self)
    }

    mutating func append(own leaf: Never) {}
}
