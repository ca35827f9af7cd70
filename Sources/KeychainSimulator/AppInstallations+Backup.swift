import Foundation
import KeychainModel

// The apps' part of a backup and of a restore. As on a phone, a backup contains the content of
// protected files without their keys, which never leave the device.
extension AppInstallations {
    /// Returns the files and defaults of every app and app group.
    ///
    /// - Throws: The error of the file system, or of a file whose key is not in memory.
    func backUp(_ vault: ContainerVault) throws -> BackedUpApps {
        var apps = BackedUpApps()
        for (owner, sandbox) in places {
            let preferences = try Self.preferences(sandbox.defaultsName)
            let files = try Self.files(of: sandbox.container, vault)
            guard preferences != nil || !files.isEmpty else { continue }
            apps.places.append(.init(owner: owner, preferences: preferences, files: files))
        }
        return apps
    }

    /// Writes the files and defaults of a backup, and replaces those with the same names.
    ///
    /// - Throws: The error of the file system, or of the keychain that makes new keys for files.
    func restore(_ apps: BackedUpApps, _ vault: ContainerVault) throws {
        for backedUp in apps.places {
            let sandbox = place(of: backedUp.owner)
            for file in backedUp.files {
                try Self.restore(file, below: container(of: sandbox), vault)
            }
            let name = sandbox.defaultsName
            guard let preferences = backedUp.preferences,
                let list = try PropertyListSerialization.propertyList(
                    from: preferences,
                    format: nil
                ) as? [String: Any]
            else { continue }
            openDefaults(name)?.setPersistentDomain(list, forName: name)
        }
    }

    private static func preferences(_ name: String) throws -> Data? {
        guard let values = UserDefaults(suiteName: name)?.persistentDomain(forName: name),
            !values.isEmpty
        else { return nil }
        return try PropertyListSerialization.data(
            fromPropertyList: values,
            format: .binary,
            options: 0
        )
    }

    private static func files(
        of container: URL,
        _ vault: ContainerVault
    ) throws -> [BackedUpApps.File] {
        let files = FileManager.default
        var found: [BackedUpApps.File] = []
        for path in (files.subpaths(atPath: container.path) ?? []).sorted() {
            let file = container.appendingPathComponent(path)
            let type = try files.attributesOfItem(atPath: file.path)[.type] as? FileAttributeType
            if type == .typeDirectory {
                let protection = vault.protection(ofDirectory: file)
                found.append(.init(path: path, content: nil, protection: protection))
            } else if type == .typeRegular, let taken = try vault.read(file) {
                found.append(
                    .init(path: path, content: taken.content, protection: taken.protection)
                )
            }
        }
        return found
    }

    private static func restore(
        _ file: BackedUpApps.File,
        below container: URL,
        _ vault: ContainerVault
    ) throws {
        // Anyone can change a backup without a password.
        guard file.path.split(separator: "/").allSatisfy({ $0 != ".." }) else {
            throw SimulatorError(KeychainError(.decode, "the backup is damaged"))
        }
        let place = container.appendingPathComponent(file.path)
        let directory = file.content == nil ? place : place.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        guard let content = file.content else {
            return try vault.setProtection(file.protection, ofDirectory: place)
        }
        try vault.write(content, file.protection, to: place)
    }
}

// The unencrypted backup on a computer.
extension BackedUpApps {
    /// Writes the files and defaults into a folder without encryption.
    func extract(to folder: URL) throws {
        let files = FileManager.default
        for place in places {
            let home = folder.appendingPathComponent(place.owner.backupPath)
            try files.createDirectory(at: home, withIntermediateDirectories: true)
            let container = home.appendingPathComponent("Container")
            for file in place.files {
                let copy = container.appendingPathComponent(file.path)
                let directory = file.content == nil ? copy : copy.deletingLastPathComponent()
                try files.createDirectory(at: directory, withIntermediateDirectories: true)
                try file.content?.write(to: copy)
            }
            try place.preferences?.write(to: home.appendingPathComponent("Preferences.plist"))
        }
    }
}

extension AppInstallations.Owner {
    /// The path of the owner's files in a backup.
    fileprivate var backupPath: String {
        switch self {
        case .app(let bundleIdentifier): "Apps/" + bundleIdentifier
        case .group(let group): "Groups/" + group
        }
    }
}
