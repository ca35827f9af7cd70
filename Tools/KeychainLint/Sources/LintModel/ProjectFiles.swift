import Foundation
import LintRules

/// The files that the linter reads, and their targets.
package struct ProjectFiles: Sendable {
    package var sources: [SourceText] = []
    package var targets: [Target] = []
    package var buildSettings: [PropertyList] = []
    /// Files that are too large.
    package private(set) var unread: [UnreadFile] = []
    /// The paths below the given ones that were not read.
    package var skipped: [SkippedPath] = []

    package init(sources: [SourceText], targets: [Target] = [], buildSettings: [PropertyList] = [])
    {
        self.sources = sources
        self.targets = targets
        self.buildSettings = buildSettings
    }

    /// Whether there is neither Swift nor a list to read, mostly because of a wrong path.
    package var isEmpty: Bool {
        sources.isEmpty && targets.isEmpty && buildSettings.isEmpty && unread.isEmpty
    }

    /// Finds the files below some paths.
    ///
    /// - Throws: `ConfigurationError` if a path does not exist, or if there is no file to read.
    package init(paths: [String], exclude: [String] = []) throws {
        var lists: [String: [SourceText]] = [:]
        for path in paths {
            let (files, left) = try Self.files(below: path)
            skipped += left.filter { left in !exclude.contains(where: left.path.contains) }
            for file in files {
                guard !exclude.contains(where: file.contains) else { continue }
                let name = (file as NSString).lastPathComponent
                switch (file as NSString).pathExtension {
                case "swift" where name == "Package.swift":
                    lists[Self.directory(of: file), default: []] += read(file)
                case "swift": sources += source(file)
                case "plist" where name.hasSuffix("Info.plist") || name == "Info.plist",
                    "entitlements":
                    lists[Self.directory(of: file), default: []] += read(file)
                case "xcconfig":
                    buildSettings += read(file).map { PropertyList(buildSettings: $0) }
                default: break
                }
            }
        }
        targets = lists.sorted { $0.key < $1.key }.map { Target(directory: $0, files: $1) }
        guard !isEmpty else {
            let left = SkippedPath.line(about: skipped).map { "; \($0)" } ?? ""
            let names = paths.joined(separator: ", ")
            throw ConfigurationError("\(names): no Swift file is there\(left).")
        }
    }

    /// Returns the target of a file, which is the nearest directory above it that is one.
    package func target(of path: String) -> Target? {
        targets.filter { $0.directory.isEmpty || path.hasPrefix($0.directory + "/") }
            .max { $0.directory.count < $1.directory.count }
    }

    private static func directory(of path: String) -> String {
        (path as NSString).deletingLastPathComponent
    }

    /// The limit for a file, which is more than people write; the parser takes some seconds for it.
    private static let mostMebibytes = 4

    private enum Contents {
        case bytes(Data)
        case tooLarge
        case unreadable
    }

    private static func contents(of path: String) -> Contents {
        let most = mostMebibytes << 20
        guard FileManager.default.isReadableFile(atPath: path),
            let file = FileHandle(forReadingAtPath: path)
        else { return .unreadable }
        let data = (try? file.read(upToCount: most + 1)) ?? Data()
        return data.count > most ? .tooLarge : .bytes(data)
    }

    private mutating func leaveOut(_ path: String) {
        let reason = "it is larger than \(Self.mostMebibytes) MiB"
        unread.append(UnreadFile(path: path, reason: reason))
    }

    /// Returns the text of a list; empty if it is left out.
    private mutating func read(_ path: String) -> [SourceText] {
        switch Self.contents(of: path) {
        case .bytes(let data): return [Self.text(data, path)]
        case .tooLarge: leaveOut(path)
        case .unreadable: return [Self.text(Data(), path)]
        }
        return []
    }

    /// Returns a source; empty if it is too large or not a text.
    private mutating func source(_ path: String) -> [SourceText] {
        switch Self.contents(of: path) {
        case .bytes(let data) where Self.isText(data): return [Self.text(data, path)]
        case .bytes: skipped.append(SkippedPath(path: path, reason: .encoding))
        case .tooLarge: leaveOut(path)
        case .unreadable: skipped.append(SkippedPath(path: path, reason: .unreadable))
        }
        return []
    }

    private static func text(_ data: Data, _ path: String) -> SourceText {
        SourceText(path: path, text: String(decoding: data, as: UTF8.self))
    }

    /// Whether it is not UTF-16, which begins with a mark, or has zeros in half of its bytes.
    ///
    /// The compiler reads a file with one or two zero bytes, so the linter does, too.
    private static func isText(_ data: Data) -> Bool {
        let isMarked = data.starts(with: [0xFF, 0xFE]) || data.starts(with: [0xFE, 0xFF])
        let hasZeros = data.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
        return !isMarked && (!hasZeros || data.count(where: { $0 == 0 }) <= data.count / 4)
    }

    /// Folders with products or with other people's code.
    private static let otherCode: Set<String> = [
        ".build", "Pods", "Carthage", "DerivedData", "node_modules",
    ]
    private static let kinds = [".swift", ".plist", ".entitlements", ".xcconfig"]
    private static let ofTools: Set<String> = [".git", ".swiftpm"]

    private static func files(below path: String) throws -> (read: [String], left: [SkippedPath]) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw ConfigurationError("\(path): no such file or directory.")
        }
        let clean = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard isDirectory.boolValue else { return ([clean], []) }
        var found: [String] = []
        var left: [SkippedPath] = []
        var open = [clean]
        while let folder = open.popLast() {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            for name in names where !ofTools.contains(name) {
                let file = folder == "." ? name : "\(folder)/\(name)"
                guard !otherCode.contains(name) else {
                    left.append(SkippedPath(path: file, reason: .folder))
                    continue
                }
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
                    continue
                }
                guard !isLink(file) else {
                    if isFolder.boolValue || Self.kinds.contains(where: name.hasSuffix) {
                        left.append(SkippedPath(path: file, reason: .link))
                    }
                    continue
                }
                if isFolder.boolValue {
                    open.append(file)
                } else if isPlainFile(file) {
                    found.append(file)
                }
            }
        }
        return (found.sorted(), left.sorted { $0.path < $1.path })
    }

    /// Whether a path is a regular file; a pipe would never end, and a link could lead outside.
    package static func isPlainFile(_ path: String) -> Bool {
        let facts = try? FileManager.default.attributesOfItem(atPath: path)
        return facts?[.type] as? FileAttributeType == .typeRegular
    }

    /// Whether a path is a link, which is not followed because it could lead back up.
    private static func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }
}

/// A file that the linter leaves out, with the reason.
package struct UnreadFile: Sendable {
    package let path: String
    package let reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension Target {
    /// Reads the property lists, entitlements or manifest of a directory.
    init(directory: String, files: [SourceText]) {
        let info = files.first { $0.path.hasSuffix(".plist") }.map { PropertyList(source: $0) }
        let rights = files.first { $0.path.hasSuffix(".entitlements") }
        let entitlements = rights.map { PropertyList(source: $0) }
        let manifest = files.first { $0.path.hasSuffix("Package.swift") }?.text
        self.init(
            directory: directory,
            kind: Self.kind(directory, info, entitlements, isPackage: manifest != nil),
            isMacOS: Self.isMacOS(info, entitlements, manifest),
            info: info,
            entitlements: entitlements
        )
    }

    private static func kind(
        _ directory: String,
        _ info: PropertyList?,
        _ entitlements: PropertyList?,
        isPackage: Bool
    ) -> Kind {
        if let info {
            if info.keys.contains("NSExtension") || info.keys.contains("EXAppExtensionAttributes") {
                return .appExtension
            }
            if info.keys.contains("SMAuthorizedClients") { return .daemon }
            if info.strings("CFBundlePackageType") == ["BNDL"] { return .test }
        }
        if directory.lowercased().contains("daemon") { return .daemon }
        if info != nil || entitlements != nil { return .app }
        return isPackage ? .package : .unknown
    }

    private static func isMacOS(
        _ info: PropertyList?,
        _ entitlements: PropertyList?,
        _ manifest: String?
    ) -> Bool? {
        if let info {
            if info.keys.contains("LSMinimumSystemVersion") { return true }
            let phone = ["LSRequiresIPhoneOS", "UILaunchStoryboardName", "UIDeviceFamily"]
            if phone.contains(where: info.keys.contains) { return false }
        }
        if entitlements?.keys.contains("com.apple.security.app-sandbox") == true { return true }
        guard let manifest else { return nil }
        let others = [".iOS(", ".tvOS(", ".watchOS(", ".visionOS(", ".macCatalyst("]
        guard manifest.contains(".macOS(") else { return nil }
        return others.contains(where: manifest.contains) ? nil : true
    }
}
