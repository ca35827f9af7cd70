import JSON
import Secrets

/// `~/.docker/config.json`: the passwords that `docker login` writes without a credential store.
///
/// The registry's empty entry stays, as docker itself leaves it when a store has the password.
/// - Source: docker-login(1), "Default behavior": `auth` is `user:password` in Base64;
///   github.com/docker/cli, `cli/config/types/authconfig.go`, for the other members.
enum DockerConfigFile {
    /// Members with a secret.
    private static let secrets: Set<String> = [
        "auth", "identitytoken", "password", "registrytoken",
    ]

    /// The other members that an entry may have, for each kind of secret; none of them is lost.
    private static let companions: [String: Set<String>] = [
        "auth": ["email"], "identitytoken": ["email"], "password": ["email", "username"],
    ]

    static func findings(_ view: ByteView) throws(PlaintextError) -> PlaintextFindings {
        let json = try JSONText(view)
        guard case .object(let settings) = json.root.content else {
            throw PlaintextError(1, "not a JSON object")
        }
        let all = settings.filter { $0.key == "auths" }
        guard all.count < 2 else {
            throw PlaintextError(json.line(of: all[1]), "a second object of registries")
        }
        var findings = PlaintextFindings()
        for member in settings where member.key != "auths" {
            noteSecrets(in: member, &findings, json)
        }
        guard case .object(let registries)? = all.first?.value.content else { return findings }
        for registry in registries {
            guard case .object(let members) = registry.value.content else { continue }
            let found = members.filter { secrets.contains($0.key) && !json.isEmpty($0.value) }
            guard let secret = found.first else { continue }
            let entry = entry(secret, of: registry, members, json)
            let isRepeated = registries.count { $0.key == registry.key } > 1
            if let entry, isRepeated {
                findings.entries.append(entry.staying(because: "its registry stands there twice"))
            } else if let entry {
                findings.entries.append(entry)
            } else {
                findings.note(json.line(of: secret), "a credential of a registry that is no text")
            }
        }
        return findings
    }

    /// Reports other places with a secret, such as a proxy's URL or a header for the daemon.
    private static func noteSecrets(
        in member: JSONText.Member,
        _ findings: inout PlaintextFindings,
        _ json: JSONText
    ) {
        switch member.value.content {
        case .object(let members): for one in members { noteSecrets(in: one, &findings, json) }
        case .array(let elements):
            for element in elements where json.seemsSecret(element) {
                findings.note(json.line(of: element), otherSecret)
            }
        case .string, .word:
            guard json.seemsSecret(member.value) || member.key.lowercased() == "authorization"
            else { return }
            findings.note(json.line(of: member.value), otherSecret)
        }
    }

    private static let otherSecret =
        "a setting that looks like a secret; docker reads it only there"

    /// The content of a member.
    private struct Login {
        let account: String
        let secret: SharedSecret
        let written: WrittenSecret
        var hindrance: String?
    }

    private static func entry(
        _ secret: JSONText.Member,
        of registry: JSONText.Member,
        _ members: [JSONText.Member],
        _ json: JSONText
    ) -> PlaintextEntry? {
        guard let login = login(secret, members, json),
            let index = members.firstIndex(where: { $0.start == secret.start })
        else { return nil }
        let url = LocatorURL(registry.key) ?? LocatorURL("https://" + registry.key)
        let place = ServerPlace(url, named: registry.key, account: login.account)
        let others = members.filter { member in
            member.start != secret.start && !json.isEmpty(member.value)
                && !(companions[secret.key]?.contains(member.key) ?? false)
        }
        let names = Set(others.map(\.key)).sorted().joined(separator: ", ")
        let more = others.isEmpty ? nil : "it has \(names) as well"
        return PlaintextEntry(
            .server(place),
            line: json.line(of: secret.value),
            removal: [JSONText.removal(of: index, from: members)],
            secret: login.secret,
            written: [login.written],
            remark: SharedSecret(Secret(copying: (DockerNote.key + registry.key).utf8)),
            hindrance: place.protocolName == nil ? notALogin : login.hindrance ?? more
        )
    }

    private static let notALogin = "it is not the user and password of a registry"

    /// Returns the login in a member; nil if it is not text.
    private static func login(
        _ member: JSONText.Member,
        _ members: [JSONText.Member],
        _ json: JSONText
    ) -> Login? {
        guard let secret = json.secret(member.value) else { return nil }
        var login: Login
        switch member.key {
        case "auth":
            let pair = secret.secret.withUnsafeBytes { bytes in
                SecretEncoding.base64.decoded(bytes[...])
            }
            guard let (user, password) = pair.flatMap(split) else {
                return Login(
                    account: "",
                    secret: secret,
                    written: json.written(member.value),
                    hindrance: notALogin
                )
            }
            login = Login(
                account: user,
                secret: password,
                written: json.written(member.value, .base64, prefix: user + ":")
            )
        case "password":
            let users = members.filter { $0.key == "username" }
            let user = json.text(users.first?.value) ?? ""
            login = Login(account: user, secret: secret, written: json.written(member.value))
            if user.isEmpty || users.count > 1 { login.hindrance = notALogin }
        default:
            login = Login(account: "<token>", secret: secret, written: json.written(member.value))
            if member.key == "registrytoken" { login.hindrance = "no store of docker's keeps it" }
        }
        return login
    }

    /// Splits at the first colon, because user names contain none.
    private static func split(_ pair: SharedSecret) -> (user: String, password: SharedSecret)? {
        pair.secret.withUnsafeBytes { bytes in
            guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon + 1 < bytes.count,
                let user = String(validating: bytes[..<colon], as: UTF8.self), !user.isEmpty
            else { return nil }
            // Docker pads some passwords with NUL bytes, and removes them when it reads.
            var password = bytes[(colon + 1)...]
            while password.last == 0 { password = password.dropLast() }
            let secret = Secret(copying: UnsafeRawBufferPointer(rebasing: password))
            return (user, SharedSecret(secret))
        }
    }
}

/// The note in an item's comment about docker's name for its registry.
package enum DockerNote {
    /// The text before the registry in docker's spelling, on its own line.
    package static let key = "docker_server_url="
}
