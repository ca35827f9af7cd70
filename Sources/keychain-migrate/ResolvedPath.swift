import Foundation
import KeychainMigration

/// The unique path of a file whose folder may have several.
enum ResolvedPath {
    /// Returns the absolute path of a file, without symbolic links in its folder.
    ///
    /// The file itself may be a link, which ``target(of:)`` follows.
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

    /// Returns the file that a path leads to, through links of this user or of root.
    ///
    /// Another user's link could lead to a file that this user does not want to change.
    static func target(of path: String) throws(SourceFailure) -> String {
        var path = path
        for hop in 0...linkLimit {
            let name = URL(filePath: path).lastPathComponent
            var status = stat()
            guard lstat(path, &status) == 0 else {
                guard hop > 0 else { return path }
                throw SourceFailure(.missing, "\(name), to which a symbolic link leads")
            }
            guard status.st_mode & S_IFMT == S_IFLNK else { return path }
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw SourceFailure(.foreignOwner, "\(name), a symbolic link of another user")
            }
            guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                throw SourceFailure(.unreadable, name)
            }
            let folder = URL(filePath: path).deletingLastPathComponent().path
            path = file(link.hasPrefix("/") ? link : folder + "/" + link)
        }
        throw SourceFailure(.symbolicLink, "\(URL(filePath: path).lastPathComponent), in a circle")
    }

    /// The number of links that Linux follows.
    private static let linkLimit = 40

    /// Returns the absolute path of a folder without symbolic links; a missing folder keeps its
    /// path.
    static func folder(_ path: String) -> String {
        real(path) ?? URL(filePath: path).standardizedFileURL.path
    }

    /// Returns the path with `~` in place of the home directory.
    static func short(_ path: String, home: String) -> String {
        path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    private static func real(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
