/// The Flatpak of a process, from files that it cannot change from inside.
///
/// - Source: flatpak-metadata(5), `.flatpak-info`; `/app` in "Sandbox Permissions".
enum FlatpakApplication {
    /// Returns the application in `.flatpak-info`: `name` in the section `[Application]`.
    static func name(info bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        var section = Substring()
        for line in text.split(separator: "\n") {
            if line.hasPrefix("[") {
                section = line
            } else if section == "[Application]", line.hasPrefix("name=") {
                let name = String(line.dropFirst("name=".count))
                return isName(name) ? name : nil
            }
        }
        return nil
    }

    /// Returns the application whose files are mounted at `/app`, from the path of their source:
    /// `…/app/NAME/ARCHITECTURE/BRANCH/COMMIT/files`.
    static func name(mounts: MountTable) -> String? {
        guard let source = mounts.source(ofLastMountAt: "/app") else { return nil }
        let parts = source.split(separator: "/")
        guard parts.count >= 6, parts.last == "files", parts[parts.count - 6] == "app" else {
            return nil
        }
        let name = String(parts[parts.count - 5])
        return isName(name) ? name : nil
    }

    /// Whether a text has the form of an application's name, such as `org.example.Mailer`.
    private static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.isASCII
                && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                    || "._-".unicodeScalars.contains($0))
        }
        return parts.count >= 3 && parts.allSatisfy { !$0.isEmpty } && text.utf8.count <= 255
            && isPlain
    }
}
