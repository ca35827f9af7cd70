import Foundation
import KeychainEngine
import KeychainMessages
import KeychainModel
import ProtectedFiles

/// The device's own access to the files of all apps, for backups.
struct ContainerVault {
    private let source: FileKeySource

    init(_ engine: Engine) {
        source = FileKeySource { request throws(KeychainError) in
            let caller = Caller(
                entitlements: Entitlements(keychainAccessGroups: ["*"]),
                system: engine.profiles.system,
                canPrompt: false
            )
            let reply = try engine.perform(.fileKeys(request), from: caller)
            guard case .fileKeys(let reply) = reply else { throw .unexpectedReply }
            return reply
        }
    }

    /// Returns the content and protection of a file; nil if backups omit the file.
    func read(_ file: URL) throws -> (content: Data, protection: BackedUpApps.Protection?)? {
        guard FileContainer.isProtected(file.path) else {
            return (try Data(contentsOf: file), nil)
        }
        return try readProtected(file.path)
    }

    private func readProtected(
        _ path: String
    ) throws(FileFailure) -> (content: Data, protection: BackedUpApps.Protection?)? {
        let container = try FileContainer.open(path, isWritable: false, source)
        guard !container.isExcludedFromBackup else { return nil }
        let protection = BackedUpApps.Protection(
            fileClass: container.fileClass.rawValue,
            group: container.group
        )
        return (Data(try container.allContent()), protection)
    }

    /// Writes a file; a protected file gets a new key of this device.
    func write(_ content: Data, _ protection: BackedUpApps.Protection?, to file: URL) throws {
        guard let protection, let fileClass = FileClass(rawValue: protection.fileClass) else {
            return try content.write(to: file)
        }
        let new = try NewFile(file.path, fileClass, group: protection.group, source)
        try new.container.replaceContent(Array(content))
        try new.publish(replacing: true)
    }

    /// Returns the class that a directory states for new files; nil if it states none.
    func protection(ofDirectory directory: URL) -> BackedUpApps.Protection? {
        DirectoryClass.stated(by: directory.path).map {
            BackedUpApps.Protection(fileClass: $0.rawValue, group: "")
        }
    }

    /// Restores the class that a directory states.
    func setProtection(
        _ protection: BackedUpApps.Protection?,
        ofDirectory directory: URL
    ) throws(FileFailure) {
        guard let fileClass = protection.flatMap({ FileClass(rawValue: $0.fileClass) }) else {
            return
        }
        try DirectoryClass.set(fileClass, of: directory.path)
    }
}
