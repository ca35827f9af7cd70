import JSON
import Secrets

/// `~/.docker/config.json`: what `docker login` leaves where no credential store is configured.
///
/// The registry's entry stays, empty, as docker itself leaves it when a store has the password.
/// - Source: docker-login(1), "Default behavior": `auth` is `user:password` in Base64.
enum DockerConfigFile {
    static func entries(_ view: ByteView) throws(PlaintextError) -> [PlaintextEntry] {
        let json = try JSONText(view)
        guard case .object = json.root.content else {
            throw PlaintextError(1, "not a JSON object")
        }
        guard case .object(let registries)? = json.value("auths", of: json.root)?.content else {
            return []
        }
        return registries.compactMap { entry(of: $0, json) }
    }

    private static func entry(of registry: JSONText.Member, _ json: JSONText) -> PlaintextEntry? {
        guard case .object(let members) = registry.value.content,
            let index = members.lastIndex(where: { $0.key == "auth" || $0.key == "identitytoken" }),
            let written = json.secret(members[index].value), written.secret.byteCount > 0
        else { return nil }
        let isToken = members[index].key == "identitytoken"
        let pair = isToken ? nil : written.secret.withUnsafeBytes(decoded).flatMap(split)
        let others = members.filter { !["auth", "identitytoken", "email"].contains($0.key) }
        let url = LocatorURL(registry.key) ?? LocatorURL("https://" + registry.key)
        let account = isToken ? "<token>" : pair?.user ?? ""
        let place = ServerPlace(url, named: registry.key, account: account)
        return PlaintextEntry(
            .server(place),
            line: json.line(of: members[index].value),
            removal: [JSONText.removal(of: index, from: members)],
            secret: isToken ? written : pair?.password ?? written,
            written: isToken
                ? json.written(members[index].value)
                : json.written(members[index].value, .base64, prefix: account + ":"),
            remark: SharedSecret(Secret(copying: (DockerNote.key + registry.key).utf8)),
            hindrance: hindrance(
                isKnown: place.protocolName != nil && (isToken || pair != nil),
                hasBoth: members.count { $0.key == "auth" || $0.key == "identitytoken" } > 1,
                others: others.map(\.key)
            )
        )
    }

    private static func hindrance(isKnown: Bool, hasBoth: Bool, others: [String]) -> String? {
        guard isKnown else { return "it is not the user and password of a registry" }
        if hasBoth { return "it has a password and a token" }
        return others.isEmpty ? nil : "it has \(others.sorted().joined(separator: ", ")) as well"
    }

    private static func decoded(_ bytes: UnsafeRawBufferPointer) -> SharedSecret? {
        guard let secret = Base64.decode(bytes) else { return nil }
        return SharedSecret(secret)
    }

    /// Cut at the first colon, which no user name has.
    private static func split(_ pair: SharedSecret) -> (user: String, password: SharedSecret)? {
        pair.secret.withUnsafeBytes { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
                let user = String(validating: bytes[..<colon], as: UTF8.self), !user.isEmpty
            else { return nil }
            // Docker pads some passwords with NUL bytes, and drops them when it reads.
            var password = bytes[(colon + 1)...]
            while password.last == 0 { password = password.dropLast() }
            let secret = Secret(copying: UnsafeRawBufferPointer(rebasing: password))
            return (user, SharedSecret(secret))
        }
    }
}

/// How an item's comment tells which registry docker knows it by.
package enum DockerNote {
    /// Stands in front of the registry, as docker spells it, on a line of its own.
    package static let key = "docker_server_url="
}
