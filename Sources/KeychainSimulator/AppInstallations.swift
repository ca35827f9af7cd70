import Foundation
import KeychainModel
import ProtectedFiles
import Synchronization

/// The installations on a device: the sandbox and defaults of each app and each app group.
final class AppInstallations: Sendable {
    /// A place for files and defaults; a reinstalled app gets a new one.
    struct Sandbox: Sendable, Hashable {
        let container: URL
        let defaultsName: String
    }

    /// The owner of files and defaults.
    enum Owner: Codable, Sendable, Hashable {
        /// An app, by its bundle identifier.
        case app(String)
        /// An app group, by its identifier.
        case group(String)
    }

    private struct State: Sendable {
        var sandboxes: [Owner: Sandbox] = [:]
        /// The groups of each app, by bundle identifier.
        var groups: [String: [String]] = [:]
        /// Whether unprotected files and defaults are where apps expect them.
        var isReachable = true
        /// The names of all defaults that were opened.
        var knownDefaults: Set<String> = []

        /// Returns the owner's place; makes it on first use.
        mutating func place(of owner: Owner, under root: URL) -> Sandbox {
            if let known = sandboxes[owner] { return known }
            let identifier = UUID().uuidString
            let made = Sandbox(
                container: root.appendingPathComponent(identifier),
                defaultsName: "simulated-app-" + identifier
            )
            sandboxes[owner] = made
            return made
        }
    }

    let root: URL
    /// Whether the root directory is deleted with the device.
    private let isTemporary: Bool
    private let state = Mutex(State())

    init(in directory: URL?) throws {
        isTemporary = directory == nil
        let parent = directory ?? FileManager.default.temporaryDirectory
        root = parent.appendingPathComponent("apps-" + UUID().uuidString)
    }

    deinit {
        if isTemporary { removeAll() }
    }

    /// Returns the app's sandbox.
    ///
    /// Makes it on the first installation, and keeps it on an update.
    func install(_ app: SimulatedApp.Manifest) -> Sandbox {
        state.withLock { state in
            state.groups[app.bundleIdentifier] = app.applicationGroups
            return state.place(of: .app(app.bundleIdentifier), under: root)
        }
    }

    /// Returns the owner's place; makes it on first use.
    func place(of owner: Owner) -> Sandbox {
        state.withLock { $0.place(of: owner, under: root) }
    }

    /// Whether the sandbox still belongs to the installed app.
    func isInstalled(_ sandbox: Sandbox, of bundleIdentifier: String) -> Bool {
        state.withLock { $0.sandboxes[.app(bundleIdentifier)] == sandbox }
    }

    /// All places in use.
    var places: [Owner: Sandbox] { state.withLock { $0.sandboxes } }

    /// Removes the app's sandbox and defaults, and those of groups without a remaining app.
    ///
    /// Keeps its keychain items.
    func uninstall(_ bundleIdentifier: String) {
        let removed = state.withLock { state in
            var gone = [Owner.app(bundleIdentifier)]
            let groups = state.groups.removeValue(forKey: bundleIdentifier) ?? []
            let kept = Set(state.groups.values.joined())
            gone += groups.filter { !kept.contains($0) }.map(Owner.group)
            return gone.compactMap { state.sandboxes.removeValue(forKey: $0) }
        }
        for sandbox in removed { destroy(sandbox) }
    }

    func removeAll() {
        let all = state.withLock { state in
            let known = state.knownDefaults
            defer {
                state = State()
                state.knownDefaults = known
            }
            return state.sandboxes
        }
        for sandbox in all.values { destroy(sandbox) }
        // A root directory that does not exist counts as removed.
        try? FileManager.default.removeItem(at: root)
    }

    /// Records whether files and defaults are accessible; returns false if nothing changed.
    func changesReach(to isReachable: Bool) -> Bool {
        state.withLock { state in
            defer { state.isReachable = isReachable }
            return state.isReachable != isReachable
        }
    }

    /// Opens the defaults with a name, and records the name.
    func openDefaults(_ name: String) -> UserDefaults? {
        state.withLock { _ = $0.knownDefaults.insert(name) }
        return UserDefaults(suiteName: name)
    }

    /// Destroys the defaults with a name, if they were ever opened.
    ///
    /// Foundation remembers every name that it was given, and searches all of them each time.
    /// Without this check, thousands of devices with unused defaults would slow each further one
    /// down.
    func removeDefaults(_ name: String) {
        guard state.withLock({ $0.knownDefaults.contains(name) }) else { return }
        UserDefaults(suiteName: name)?.removePersistentDomain(forName: name)
    }

    private func destroy(_ sandbox: Sandbox) {
        removeDefaults(sandbox.defaultsName)
        removeDefaults(sandbox.hiddenDefaultsName)
        try? FileManager.default.removeItem(at: hiddenFiles(of: sandbox))
        // The deletion overwrites the keys of protected files. A file that a program has open, or
        // that has another hard link, is deleted without that.
        FileDestruction.removeAll(below: sandbox.container.path)
        // A container that the app never used does not exist.
        try? FileManager.default.removeItem(at: sandbox.container)
    }
}

// The places as apps see them.
extension AppInstallations {
    /// Returns the directory of a place.
    func container(of sandbox: Sandbox) -> URL {
        guard places.values.contains(sandbox) else { return sandbox.container }
        // Makes the directory on first use; the app notices a failure when it uses the directory.
        try? FileManager.default.createDirectory(
            at: sandbox.container,
            withIntermediateDirectories: true
        )
        return sandbox.container
    }

    /// Returns the defaults of a place.
    func defaults(of sandbox: Sandbox) -> UserDefaults {
        let isReachable = state.withLock { $0.isReachable }
        let name = isReachable ? sandbox.defaultsName : sandbox.hiddenDefaultsName
        return openDefaults(name) ?? UserDefaults()
    }
}
