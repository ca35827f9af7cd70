import KeychainModel
import PlaintextFormats
import Secrets
import WebCredentials

/// A description of a credential from git: lines of `key=value`, up to an empty line or the end.
///
/// - Source: git-credential(1), INPUT/OUTPUT FORMAT.
struct CredentialDescription {
    var scheme: String?
    var host: String?
    var port: UInt16?
    /// Without slashes at its ends.
    var path: ItemName?
    var username: ItemName?
    var password: SharedSecret?
    /// The time of expiry, in seconds since 1970.
    var expiry: UInt64?
    var refreshToken: SharedSecret?
    var authenticationScheme: String?
    var credential: SharedSecret?
    var isEphemeral = false
    var capabilities: [String] = []
    /// The values of `WWW-Authenticate` headers.
    var challenges: [String] = []

    /// A value during parsing.
    private struct Value {
        let bytes: UnsafeRawBufferPointer

        /// The value as text; nil unless it is UTF-8.
        var text: String? { String(validating: bytes, as: UTF8.self) }
        var name: ItemName { ItemName(Array(bytes)) }
        var secret: SharedSecret { SharedSecret(Secret(copying: bytes)) }
    }

    // ★ Table: the effect of each key; false for a value in the wrong form. Other keys are ignored,
    // as the protocol requires. `state[]` and `continue` are for helpers that need several rounds.
    private static let keys: [String: @Sendable (inout Self, Value) -> Bool] = [
        "protocol": { set(&$0.scheme, $1) },
        "host": { $0.setHost($1) },
        "path": { description, value in
            description.path = value.name.withoutOuterSlashes
            return true
        },
        "username": { description, value in
            description.username = value.name
            return true
        },
        "password": { $0.set(\.password, $1) },
        "password_expiry_utc": { description, value in
            description.expiry = value.text.flatMap { UInt64($0) }
            return true
        },
        "oauth_refresh_token": { $0.set(\.refreshToken, $1) },
        "authtype": { set(&$0.authenticationScheme, $1) },
        "credential": { $0.set(\.credential, $1) },
        "ephemeral": { description, value in
            description.isEphemeral = ["1", "true", "yes", "on"].contains(value.text)
            return true
        },
        "capability[]": { append(&$0.capabilities, $1) },
        // A server's header may have any bytes, and only the name of its scheme counts.
        "wwwauth[]": { description, value in
            let text = String(decoding: value.bytes, as: UTF8.self)
            description.challenges = text.isEmpty ? [] : description.challenges + [text]
            return true
        },
        "url": { $0.setURL($1) },
    ]

    /// Parses a description.
    ///
    /// - Throws: `errSecParam` for a malformed line; the error gives its number, not its content.
    init(_ input: borrowing Secret) throws(KeychainError) {
        var found = Self.empty
        try input.withUnsafeBytes { bytes throws(KeychainError) in
            var number = 0
            for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            {
                number += 1
                let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
                if line.isEmpty { return }
                guard try found.take(line) else {
                    throw KeychainError(.param, "line \(number) of the description is malformed")
                }
            }
        }
        self = found
    }

    private init() {}

    private static let empty = CredentialDescription()

    private mutating func take(
        _ line: Slice<UnsafeRawBufferPointer>
    ) throws(KeychainError) -> Bool {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), line.isOneLine,
            let key = String(validating: line[..<equals], as: UTF8.self)
        else { return false }
        guard let set = Self.keys[key] else { return true }
        return set(&self, Value(bytes: UnsafeRawBufferPointer(rebasing: line[(equals + 1)...])))
    }
}

extension CredentialDescription {
    private static func set(_ field: inout String?, _ value: Value) -> Bool {
        field = value.text
        return field != nil
    }

    private mutating func set(
        _ field: WritableKeyPath<Self, SharedSecret?>,
        _ value: Value
    ) -> Bool {
        self[keyPath: field] = value.secret
        return true
    }

    /// Appends a value to a list; an empty value empties the list.
    private static func append(_ list: inout [String], _ value: Value) -> Bool {
        guard let text = value.text else { return false }
        if text.isEmpty { list = [] } else { list.append(text) }
        return true
    }

    private mutating func setHost(_ value: Value) -> Bool {
        guard let text = value.text, let (host, port) = HostPort.split(text) else { return false }
        self.host = host
        self.port = port
        return true
    }

    /// Stands for all of its parts; those that it lacks are unset.
    private mutating func setURL(_ value: Value) -> Bool {
        guard let url = LocatorURL(value.bytes) else { return false }
        scheme = url.scheme
        host = url.host.isEmpty ? nil : url.host
        port = url.port
        path = url.path.isEmpty ? nil : ItemName(url.path)
        username = url.user.map { ItemName($0) }
        password = LocatorURL.password(in: value.bytes)
        return password?.secret.isOneLine() ?? !url.hasPassword
    }
}
