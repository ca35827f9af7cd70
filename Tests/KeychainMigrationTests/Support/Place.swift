import Foundation

/// A folder of a test's own, gone with it.
final class Place: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("migration-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func file(_ name: String) -> URL { folder.appendingPathComponent(name) }

    @discardableResult
    func write(_ bytes: Data, to name: String) throws -> URL {
        let url = file(name)
        try bytes.write(to: url)
        return url
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> URL {
        try write(Data(text.utf8), to: name)
    }

    @discardableResult
    func writeList(
        _ list: [String: Any],
        to name: String,
        _ format: PropertyListSerialization.PropertyListFormat = .binary
    ) throws -> URL {
        let bytes = try PropertyListSerialization.data(
            fromPropertyList: list,
            format: format,
            options: 0
        )
        return try write(bytes, to: name)
    }

    func bytes(_ name: String) -> Data? { FileManager.default.contents(atPath: file(name).path) }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: file(name).path)
    }

    /// Every file below, with its bytes.
    func snapshot() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.reduce(into: [:]) { $0[$1] = bytes($1) ?? Data() }
    }
}

/// Defaults of a test's own, gone with it.
///
/// `@unchecked Sendable`: Apple documents `UserDefaults` as safe to use from several threads.
final class Suite: @unchecked Sendable {
    let name = "keychain-migration-test-" + UUID().uuidString
    let defaults: UserDefaults

    init() { defaults = UserDefaults(suiteName: name) ?? UserDefaults() }

    deinit { remove() }

    func remove() {
        defaults.removePersistentDomain(forName: name)
        _ = defaults.synchronize()
    }
}
