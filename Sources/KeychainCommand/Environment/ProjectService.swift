import Glibc

/// The service of the secrets from a project's environment file.
///
/// For `.env`, it is the full path of the folder, such as `/srv/shop`. For any other file, it is
/// the full path of the file, such as `/srv/shop/.env.production`. So two projects in folders of
/// the same name have different services.
package enum ProjectService {
    /// Returns the service of a file, with symbolic links in the folder's path resolved.
    package static func service(ofFile path: String) -> String {
        let (folder, name) = split(path)
        let resolved = resolvedPath(folder) ?? folder
        if name == ".env" { return resolved }
        return (resolved == "/" ? "" : resolved) + "/" + name
    }

    /// Returns the short name of a project's service: `shop`, or `shop.production` for
    /// `.env.production`.
    ///
    /// Earlier versions used this name as the service. Returns nil for a service that is not a
    /// path.
    package static func shortName(of service: String) -> String? {
        guard service.hasPrefix("/") else { return nil }
        let parts = service.split(separator: "/").map(String.init)
        guard let last = parts.last else { return nil }
        guard parts.count >= 2 else { return last }
        let folder = parts[parts.count - 2]
        if last.hasPrefix(".env.") { return folder + "." + last.dropFirst(".env.".count) }
        return last.hasSuffix(".env") ? folder : last
    }

    /// Returns the service of a path to a folder or an environment file; nil if the word is no
    /// path.
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

    /// Returns the absolute path without symbolic links; nil if nothing exists there.
    private static func resolvedPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
