import KeychainCommand
import KeychainMigration
import PlaintextStores

/// What is to become of a plain text file's secrets.
struct TextPlan {
    // ★ Table: how the tools that read a file get its secrets afterwards.
    private static let waysBack = [
        "git-credentials":
            "git asks after: git config --global credential.helper '!keychain git-credential'",
        "docker":
            "docker asks a link docker-credential-keychain after \"credsStore\": \"keychain\"",
        "env": "commands get them from: keychain env SERVICE -- COMMAND",
        "aws": "AWS's tools get them from: keychain env aws:PROFILE -- COMMAND",
        "netrc": "curl gets them from: curl --netrc-file <(keychain netrc HOST) …",
    ]

    private let path: String
    private let format: PlaintextFormat
    private let surroundings: MigrateCommand.Surroundings
    private let arguments: Arguments

    init(
        path: String,
        format: PlaintextFormat,
        _ surroundings: MigrateCommand.Surroundings,
        _ arguments: Arguments
    ) {
        self.path = path
        self.format = format
        self.surroundings = surroundings
        self.arguments = arguments
    }

    /// Every entry once, in the order of the file; a single failure where it cannot be read.
    var secrets: [PlannedSecret] {
        let source = PlaintextSource(path: path, format: format)
        do throws(SourceFailure) {
            guard let entries = try source.entries() else {
                let name = path.split(separator: "/").last.map(String.init) ?? path
                throw SourceFailure(.unreadable, "\(name), which is not there")
            }
            var known = Set<String>()
            return entries.compactMap { entry in
                known.insert(entry.place.key).inserted ? secret(entry, of: source) : nil
            }
        } catch {
            return [.failure(error, of: path)]
        }
    }

    private func secret(_ entry: PlaintextEntry, of source: PlaintextSource) -> PlannedSecret {
        let remark = entry.remark.flatMap { remark in
            remark.secret.withUnsafeBytes { String(validating: $0, as: UTF8.self) }
        }
        let target = SecretTarget(
            entry.place,
            service: arguments[.service] ?? service,
            title: entry.title,
            remark: remark
        )
        return PlannedSecret(
            from: path,
            line: entry.line,
            what: entry.place.name,
            to: target.words,
            wayBack: Self.waysBack[format.name],
            decision: decision(entry, target, source)
        )
    }

    private func decision(
        _ entry: PlaintextEntry,
        _ target: SecretTarget,
        _ source: PlaintextSource
    ) -> PlannedSecret.Decision {
        if let hindrance = entry.hindrance { return .report(.kept(hindrance)) }
        guard entry.seemsSecret || arguments.has(.everything) else { return .seemsNoSecret }
        return surroundings.moving(entry.place.key, from: source, to: target)
    }

    /// The project of an environment file, by its full path; else the file's name.
    private var service: String {
        if format.name == "env" { return ProjectService.service(ofFile: path) }
        guard let file = path.split(separator: "/").last else { return "keychain" }
        return String(file.hasPrefix(".") ? file.dropFirst() : file)
    }
}
