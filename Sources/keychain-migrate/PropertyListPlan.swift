import Foundation
import KeychainCommand
import KeychainMigration
import PlaintextFormats
import Secrets

/// The plan for the secrets in a property list, such as an app's defaults.
struct PropertyListPlan {
    /// The value of `--from` for property lists.
    static let format = "plist"

    private let path: String
    private let dependencies: MigrateCommand.Dependencies
    private let arguments: Arguments

    init(
        path: String,
        _ dependencies: MigrateCommand.Dependencies,
        _ arguments: Arguments
    ) {
        self.path = path
        self.dependencies = dependencies
        self.arguments = arguments
    }

    /// Every value, in the order of paths; one failure if the list cannot be read.
    var secrets: [PlannedSecret] {
        do throws(SourceFailure) {
            let path = try ResolvedPath.target(of: path)
            let file = PlainFile(URL(filePath: path))
            guard try file.read() != nil else {
                throw SourceFailure(.missing, "\(file.name), which is not there")
            }
            let origin = PropertyListOrigin(PropertyListSource(file: file, name: path))
            return try origin.values().map { secret($0.key, $0.secret, of: origin) }
        } catch {
            return [.failure(error, of: path)]
        }
    }

    private func secret(
        _ key: String,
        _ value: SecretBytes,
        of source: PropertyListOrigin
    ) -> PlannedSecret {
        let place = PlaintextPlace.service(nil, account: key)
        let target = SecretTarget(
            place,
            service: arguments[.service] ?? service,
            isThisDeviceOnly: arguments.has(.thisDeviceOnly)
        )
        return PlannedSecret(
            from: source.name,
            what: key,
            to: target.words,
            decision: seemsSecret(key, value) || arguments.has(.everything)
                ? dependencies.moving(key, from: source, to: target) : .seemsNoSecret
        )
    }

    private func seemsSecret(_ key: String, _ value: SecretBytes) -> Bool {
        let bytes = Secret(copying: value.copyBytesUnprotected())
        return SecretName.seemsSecret(name: key, value: bytes)
    }

    /// The name of the list, which usually is the app's bundle identifier.
    private var service: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.hasSuffix(".plist") ? String(name.dropLast(6)) : name
    }
}
