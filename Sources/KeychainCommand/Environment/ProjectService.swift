import Glibc

/// The service of the secrets that came out of a project's environment file.
///
/// It is the full path of the folder for `.env`, such as `/srv/shop`, and the full path of
/// the file for any other, such as `/srv/shop/.env.production`. Two projects in folders of
/// one name stay apart.
package enum ProjectService {
    /// The service of a file; symbolic links in the path are followed.
    package static func service(ofFile path: String) -> String {
        let (folder, name) = split(path)
        let resolved = resolvedPath(folder) ?? folder
        if name == ".env" { return resolved }
        return (resolved == "/" ? "" : resolved) + "/" + name
    }

    /// What people call a project's service: `shop`, or `shop.production` for `.env.production`.
    ///
    /// Services were called so before they had the full path; nil for any other service.
    package static func shortName(of service: String) -> String? {
        guard service.hasPrefix("/") else { return nil }
        let parts = service.split(separator: "/").map(String.init)
        guard let last = parts.last else { return nil }
        guard parts.count >= 2 else { return last }
        let folder = parts[parts.count - 2]
        if last.hasPrefix(".env.") { return folder + "." + last.dropFirst(".env.".count) }
        return last.hasSuffix(".env") ? folder : last
    }

    /// The service that a path names: a folder, or an environment file in it; nil for a name that
    /// is no path.
    static func service(atPath word: String) -> String? {
        let isPath =
            word == "." || word == ".." || word.hasPrefix("/") || word.hasPrefix("./")
            || word.hasPrefix("../")
        guard isPath else { return nil }
        guard let path = resolvedPath(word) else { return word }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return path }
        return service(ofFile: path)
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        let folder = slash == path.startIndex ? "/" : String(path[..<slash])
        return (folder, String(path[path.index(after: slash)...]))
    }

    /// The absolute path without symbolic links; nil where there is nothing.
    private static func resolvedPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
