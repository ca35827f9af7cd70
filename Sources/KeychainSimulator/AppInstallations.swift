import Foundation
import KeychainModel
import Synchronization

/// What is installed on a device: each bundle identifier's sandbox and defaults.
final class AppInstallations: Sendable {
    /// One app's own place; a reinstalled app gets a new one.
    struct Sandbox: Sendable, Hashable {
        let container: URL
        let defaultsName: String
    }

    private let root: URL
    /// Whether the root goes with the device.
    private let isTemporary: Bool
    private let sandboxes = Mutex<[String: Sandbox]>([:])

    init(in directory: URL?) throws {
        isTemporary = directory == nil
        let parent = directory ?? FileManager.default.temporaryDirectory
        root = parent.appendingPathComponent("apps-" + UUID().uuidString)
    }

    deinit {
        if isTemporary { removeAll() }
    }

    /// The app's sandbox, made on its first installation and kept on an update.
    func install(_ bundleIdentifier: String) -> Sandbox {
        sandboxes.withLock { sandboxes in
            if let known = sandboxes[bundleIdentifier] { return known }
            let identifier = UUID().uuidString
            let made = Sandbox(
                container: root.appendingPathComponent(identifier),
                defaultsName: "simulated-app-" + identifier
            )
            sandboxes[bundleIdentifier] = made
            return made
        }
    }

    /// Whether the sandbox still is the installed app's.
    func isInstalled(_ sandbox: Sandbox, of bundleIdentifier: String) -> Bool {
        sandboxes.withLock { $0[bundleIdentifier] == sandbox }
    }

    /// Removes the app's sandbox and defaults; not its keychain items.
    func uninstall(_ bundleIdentifier: String) {
        let sandbox = sandboxes.withLock { $0.removeValue(forKey: bundleIdentifier) }
        if let sandbox { Self.destroy(sandbox) }
    }

    func removeAll() {
        let all = sandboxes.withLock { sandboxes in
            defer { sandboxes = [:] }
            return sandboxes
        }
        for sandbox in all.values { Self.destroy(sandbox) }
        // A root that was never made, or is already gone, is as good as removed.
        try? FileManager.default.removeItem(at: root)
    }

    /// Copies each app's files and defaults as they are, as a computer keeps them of a phone.
    ///
    /// - Throws: the file system's error; a folder that exists is refused.
    func copyAll(to folder: URL) throws {
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: false)
        for (bundleIdentifier, sandbox) in sandboxes.withLock({ $0 }) {
            let app = folder.appendingPathComponent(bundleIdentifier)
            try files.createDirectory(at: app, withIntermediateDirectories: false)
            if files.fileExists(atPath: sandbox.container.path) {
                let copy = app.appendingPathComponent("Container")
                try files.copyItem(at: sandbox.container, to: copy)
            }
            let name = sandbox.defaultsName
            guard let values = UserDefaults(suiteName: name)?.persistentDomain(forName: name),
                !values.isEmpty
            else { continue }
            let list = try PropertyListSerialization.data(
                fromPropertyList: values,
                format: .binary,
                options: 0
            )
            try list.write(to: app.appendingPathComponent("Preferences.plist"))
        }
    }

    private static func destroy(_ sandbox: Sandbox) {
        UserDefaults(suiteName: sandbox.defaultsName)?
            .removePersistentDomain(forName: sandbox.defaultsName)
        // A container that the app never used does not exist.
        try? FileManager.default.removeItem(at: sandbox.container)
    }
}
