import Foundation
import KeychainModel
import ProtectedFiles
import Synchronization

/// What is installed on a device: the sandbox and defaults of each app and each app group.
final class AppInstallations: Sendable {
    /// A place for files and defaults; a reinstalled app gets a new one.
    struct Sandbox: Sendable, Hashable {
        let container: URL
        let defaultsName: String
    }

    /// Whose files and defaults they are.
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
        /// Whether plain files and defaults are where apps look for them.
        var isReachable = true
        /// The names of the defaults that somebody has had.
        var knownDefaults: Set<String> = []

        /// The owner's place, made when it is first needed.
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
    /// Whether the root goes with the device.
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

    /// The app's sandbox, made on its first installation and kept on an update.
    func install(_ app: SimulatedApp.Manifest) -> Sandbox {
        state.withLock { state in
            state.groups[app.bundleIdentifier] = app.applicationGroups
            return state.place(of: .app(app.bundleIdentifier), under: root)
        }
    }

    /// The owner's place, made when it is first needed.
    func place(of owner: Owner) -> Sandbox {
        state.withLock { $0.place(of: owner, under: root) }
    }

    /// Whether the sandbox still is the installed app's.
    func isInstalled(_ sandbox: Sandbox, of bundleIdentifier: String) -> Bool {
        state.withLock { $0.sandboxes[.app(bundleIdentifier)] == sandbox }
    }

    /// Every place that is in use.
    var places: [Owner: Sandbox] { state.withLock { $0.sandboxes } }

    /// Removes the app's sandbox and defaults, and those of groups that no app is left of; not its
    /// keychain items.
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
        // A root that was never made, or is already gone, is as good as removed.
        try? FileManager.default.removeItem(at: root)
    }

    /// Notes whether files and defaults are in reach; false if that is nothing new.
    func changesReach(to isReachable: Bool) -> Bool {
        state.withLock { state in
            defer { state.isReachable = isReachable }
            return state.isReachable != isReachable
        }
    }

    /// The defaults of this name, which are noted as somebody's.
    func openDefaults(_ name: String) -> UserDefaults? {
        state.withLock { _ = $0.knownDefaults.insert(name) }
        return UserDefaults(suiteName: name)
    }

    /// Destroys the defaults of this name, if somebody has had them.
    ///
    /// Foundation keeps every name that it was asked for, and looks at all of them each time: what
    /// thousands of devices never used would cost each of them more than the last.
    func removeDefaults(_ name: String) {
        guard state.withLock({ $0.knownDefaults.contains(name) }) else { return }
        UserDefaults(suiteName: name)?.removePersistentDomain(forName: name)
    }

    private func destroy(_ sandbox: Sandbox) {
        removeDefaults(sandbox.defaultsName)
        removeDefaults(sandbox.hiddenDefaultsName)
        try? FileManager.default.removeItem(at: hiddenFiles(of: sandbox))
        // Deletion overwrites the keys of protected files. One that a program has open, or that has
        // another name, just goes.
        FileDestruction.removeAll(below: sandbox.container.path)
        // A container that the app never used does not exist.
        try? FileManager.default.removeItem(at: sandbox.container)
    }
}

// What apps get of it.
extension AppInstallations {
    /// The directory of a place.
    func container(of sandbox: Sandbox) -> URL {
        guard places.values.contains(sandbox) else { return sandbox.container }
        // The directory is made when it is first asked for; a failure shows at its first use.
        try? FileManager.default.createDirectory(
            at: sandbox.container,
            withIntermediateDirectories: true
        )
        return sandbox.container
    }

    /// The defaults of a place.
    func defaults(of sandbox: Sandbox) -> UserDefaults {
        let isReachable = state.withLock { $0.isReachable }
        let name = isReachable ? sandbox.defaultsName : sandbox.hiddenDefaultsName
        return openDefaults(name) ?? UserDefaults()
    }
}
