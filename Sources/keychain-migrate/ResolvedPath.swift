import Foundation

/// The one name of a file whose folder may have several.
enum ResolvedPath {
    /// The absolute path of a file; no folder in it is a symbolic link.
    ///
    /// The file itself may be one, as links are refused by name.
    static func file(_ path: String) -> String {
        let url = URL(filePath: path).standardizedFileURL
        let written = path.hasPrefix("/") ? path : "./" + path
        guard let slash = written.lastIndex(of: "/") else { return url.path }
        let name = written[written.index(after: slash)...]
        guard !["", ".", ".."].contains(name),
            let folder = real(slash == written.startIndex ? "/" : String(written[..<slash]))
        else { return real(path) ?? url.path }
        return (folder == "/" ? "" : folder) + "/" + name
    }

    /// The absolute path of a folder without symbolic links; as it is written if there is none.
    static func folder(_ path: String) -> String {
        real(path) ?? URL(filePath: path).standardizedFileURL.path
    }

    /// The path as people write it: from the home directory, if it is there.
    static func short(_ path: String, home: String) -> String {
        path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
