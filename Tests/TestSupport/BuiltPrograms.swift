import Foundation

/// The programs of this package, which are built beside the tests.
///
/// `KEYCHAIN_RELEASE_BIN=.build/release swift test …` runs the programs of a release build instead.
/// The optimizer makes mistakes that no other build shows.
package enum BuiltPrograms {
    /// The folders that may have a program, in the order in which they are searched.
    package static let folders: [URL] = {
        let products = Bundle.allBundles.map(\.bundleURL) + [Bundle.main.bundleURL]
        let beside = products.flatMap { [$0, $0.deletingLastPathComponent()] }
        let release = ProcessInfo.processInfo.environment["KEYCHAIN_RELEASE_BIN"]
            .map { URL(filePath: $0, directoryHint: .isDirectory).absoluteURL }
        return (release.map { [$0] } ?? []) + beside
    }()

    /// The path of a program.
    package static func path(_ name: String) throws -> String {
        let found = folders.map { $0.appending(path: name).path }
            .first(where: FileManager.default.isExecutableFile)
        guard let found else { throw CocoaError(.fileNoSuchFile) }
        return found
    }
}
