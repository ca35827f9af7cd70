import JSON

/// The reason why a site's association file is invalid.
package enum AssociationFileError: Error, Hashable, Sendable {
    case tooLarge
    /// A signed file, as before iOS 9.
    case signed
    case notJSON(line: Int, reason: String)
    /// A repeated key, on whose value readers would not agree.
    case repeatedKey(String)
    /// The value at a path has the wrong type.
    case wrongType(String)
    case noWebCredentials

    /// The reason as a part of a sentence.
    package var reason: String {
        switch self {
        case .tooLarge: "it is larger than \(AssociationFile.byteLimit) bytes"
        case .signed: "it is signed, and not plain JSON"
        case .notJSON(let line, let reason): "line \(line): \(reason)"
        case .repeatedKey(let key): "the key '\(key)' is there twice"
        case .wrongType(let path): "'\(path)' has the wrong type"
        case .noWebCredentials: "it has no 'webcredentials'"
        }
    }
}

/// The file at `/.well-known/apple-app-site-association` of a site.
///
/// ```json
/// {"webcredentials": {"apps": ["TEAMID.com.example.app"]}}
/// ```
/// - Source: Apple, "Supporting associated domains".
package struct AssociationFile: Hashable, Sendable {
    /// The path of the file on a site.
    package static let path = "/.well-known/apple-app-site-association"
    /// The greatest size of the file, in bytes.
    package static let byteLimit = 128 << 10

    /// The application identifiers, each with its prefix.
    package let webCredentialApps: Set<String>

    /// Parses a file; ignores the parts for other services.
    package init(_ bytes: [UInt8]) throws(AssociationFileError) {
        guard bytes.count <= Self.byteLimit else { throw .tooLarge }
        guard bytes.first != 0x30 else { throw .signed }
        let limits = JSONLimits(depth: 32, byteCount: Self.byteLimit)
        let read: Result<Set<String>, AssociationFileError>
        do throws(JSONError) {
            read = try JSONText.read(bytes, limits) { text throws(JSONError) in
                Self.apps(in: text)
            }
        } catch {
            throw .notJSON(line: error.line, reason: error.reason)
        }
        webCredentialApps = try read.get()
    }

    /// Whether the site lists an app.
    package func lists(app identifier: String) -> Bool { webCredentialApps.contains(identifier) }

    private static func apps(in text: JSONText) -> Result<Set<String>, AssociationFileError> {
        if let repeated = text.repeatedKey { return .failure(.repeatedKey(repeated.key)) }
        guard case .object = text.root.content else { return .failure(.wrongType("the file")) }
        guard let section = text.value(AssociatedDomain.webCredentials, of: text.root) else {
            return .failure(.noWebCredentials)
        }
        guard case .object = section.content else { return .failure(.wrongType("webcredentials")) }
        guard let list = text.value("apps", of: section), case .array(let nodes) = list.content
        else { return .failure(.wrongType("webcredentials.apps")) }
        let names = nodes.compactMap { text.text($0) }
        guard names.count == nodes.count else {
            return .failure(.wrongType("webcredentials.apps"))
        }
        return .success(Set(names))
    }
}
