import KeychainCommand
import KeychainMigration
import PlaintextFormats
import WebCredentials

/// What is to become of a plain text file's secrets.
struct TextPlan {
    private let path: String
    private let format: PlaintextFormat
    private let isNamed: Bool
    private let toolInstructions: ToolInstructions?
    private let dependencies: MigrateCommand.Dependencies
    private let arguments: Arguments

    init(
        path: String,
        format: PlaintextFormat,
        isNamed: Bool,
        _ dependencies: MigrateCommand.Dependencies,
        _ arguments: Arguments
    ) {
        self.path = path
        self.format = format
        self.isNamed = isNamed
        toolInstructions = ToolInstructions.of(format)
        self.dependencies = dependencies
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
            remark: remark,
            creator: format.name == "git-credentials" ? WebCredential.gitCreator : nil,
            isThisDeviceOnly: arguments.has(.thisDeviceOnly)
        )
        return PlannedSecret(
            from: path,
            line: entry.line,
            what: entry.place.name,
            to: target.words,
            toolInstructions: toolInstructions?.recipe(entry, target.address.text(.service) ?? ""),
            decision: decision(entry, target, source)
        )
    }

    private func decision(
        _ entry: PlaintextEntry,
        _ target: SecretTarget,
        _ source: PlaintextSource
    ) -> PlannedSecret.Decision {
        if let hindrance = entry.hindrance { return .report(.kept(hindrance)) }
        if let toolInstructions, toolInstructions.isOnlyForNamedFiles, !isNamed {
            return .report(
                .kept("\(toolInstructions.tool) reads it only there; name the file to move it")
            )
        }
        guard entry.seemsSecret || arguments.has(.everything) else { return .seemsNoSecret }
        return dependencies.moving(entry.place.key, from: source, to: target)
    }

    /// The project of an environment file, by its full path; else the file's name.
    private var service: String {
        if format.name == "env" { return ProjectService.service(ofFile: path) }
        guard let file = path.split(separator: "/").last else { return "keychain" }
        return String(file.hasPrefix(".") ? file.dropFirst() : file)
    }
}
