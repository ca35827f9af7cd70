public import Foundation
import KeychainHost
import KeychainModel

// The app's own files and defaults.
extension SimulatedApp {
    /// The app's sandbox directory, which uninstalling removes.
    ///
    /// Before the first unlock, only protected files of the class None can be read. The simulator
    /// moves every unprotected file out of the container until the unlock, because it cannot
    /// intercept Foundation. Reading one fails with `fileReadNoSuchFile` (260), not with the 257
    /// of a real device, and `fileExists` returns false. At the unlock, a file that was moved
    /// replaces one that code wrote in its place; a real device would have refused to write it.
    public var container: URL { device.installations.container(of: sandbox) }

    /// The app's defaults, which uninstalling removes.
    ///
    /// Before the first unlock the defaults are empty, and values that code sets are lost at the
    /// unlock. Read this property again after ``SimulatedDevice/reboot()``, which ends every
    /// process on a real device: an earlier object still returns the old values.
    public var defaults: UserDefaults { device.installations.defaults(of: sandbox) }
}

// Files and defaults of the app groups in its entitlements. Keychain access groups have neither.
extension SimulatedApp {
    /// Returns the directory that an app group shares, as `FileManager` does on Apple's platforms.
    ///
    /// ```swift
    /// let group = app.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example")
    /// ```
    /// - Returns: The directory, or nil if the app is not installed or does not have the group in
    ///   `applicationGroups`. On `.iOSSimulator` every app can access every group.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        place(ofGroup: group).map(device.installations.container)
    }

    /// Returns the defaults that an app group shares, as `UserDefaults(suiteName:)` does on Apple's
    /// platforms.
    ///
    /// On Linux, `UserDefaults(suiteName:)` itself does not depend on apps and devices. Pass this
    /// object to the code under test instead.
    /// - Returns: The defaults, or nil where
    ///   ``containerURL(forSecurityApplicationGroupIdentifier:)`` returns nil.
    public func defaults(suiteName group: String) -> UserDefaults? {
        place(ofGroup: group).map(device.installations.defaults)
    }

    private func place(ofGroup group: String) -> AppInstallations.Sandbox? {
        launch(.background).place(ofGroup: group, on: device)
    }
}

extension AppLaunch {
    /// Returns the place of an app group; nil if the app may not use it.
    func place(ofGroup group: String, on device: SimulatedDevice) -> AppInstallations.Sandbox? {
        let installations = device.installations
        let isEntitled =
            !device.system.enforcesEntitlements
            || manifest.applicationGroups.contains(group)
        guard isEntitled, installations.isInstalled(sandbox, of: manifest.bundleIdentifier)
        else { return nil }
        return installations.place(of: .group(group))
    }
}

extension FileManager {
    /// Returns the directory that an app group shares, for the simulated app that runs now.
    ///
    /// Foundation on Linux does not have this function of Apple's platforms.
    /// - Returns: The directory. The result is nil if the app does not have the group in its
    ///   `applicationGroups`, and outside of ``SimulatedApp/run(_:_:)``.
    public func containerURL(forSecurityApplicationGroupIdentifier group: String) -> URL? {
        guard let running = RequestRouter.current as? AppEndpoint else { return nil }
        return running.launch.place(ofGroup: group, on: running.device)
            .map(running.device.installations.container)
    }
}
