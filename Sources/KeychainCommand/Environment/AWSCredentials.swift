import KeychainMessages
import KeychainModel
import Secrets

/// `aws-credentials`: the `credential_process` of AWS's tools.
///
/// - Source: AWS SDKs and Tools Reference Guide, Process credential provider.
struct AWSCredentials {
    /// A member of the output, and the account of the item that stores its value.
    private struct Member {
        let name: String
        let account: String
        let isNeeded: Bool

        // ★ Table: the members. The accounts are the variables that AWS's tools read, so that
        // `keychainctl env` and `keychainctl migrate` use the same items.
        static let all = [
            Member(name: "AccessKeyId", account: "AWS_ACCESS_KEY_ID", isNeeded: true),
            Member(name: "SecretAccessKey", account: "AWS_SECRET_ACCESS_KEY", isNeeded: true),
            Member(name: "SessionToken", account: "AWS_SESSION_TOKEN", isNeeded: false),
            Member(name: "Expiration", account: "AWS_CREDENTIAL_EXPIRATION", isNeeded: false),
        ]
    }

    /// The profile if no option names one.
    private static let defaultProfile = "default"

    private let service: String
    private let context: CommandContext

    /// Writes the keys of a profile as JSON, completely or not at all.
    ///
    /// - Throws: `CommandFailure.input` if standard output is a terminal and `--show` is missing.
    @Sendable static func run(
        _ arguments: Arguments,
        _ context: CommandContext
    ) throws(CommandFailure) {
        guard !context.terminal.outputIsTerminal || arguments.has(.showOnTerminal) else {
            throw .input(
                "aws-credentials writes secret keys, and standard output is a terminal; add --show"
                    + " to write them there"
            )
        }
        let filter = try arguments.attributes(of: OptionTable.awsCredentials)
        let profile = arguments.operands.first ?? defaultProfile
        let credentials = AWSCredentials(service: "aws:" + profile, context: context)
        try context.print(JSONValue.object(try credentials.read(filter)).page)
    }

    private func read(
        _ filter: AttributeDictionary
    ) throws(CommandFailure) -> [String: JSONValue] {
        let items = try items(filter)
        let stored = Set(items.keys)
        let missing = Member.all.filter { $0.isNeeded && !stored.contains($0.account) }
        guard missing.isEmpty else {
            let names = missing.map(\.account).joined(separator: " and ")
            throw .keychain(
                KeychainError(
                    .itemNotFound,
                    "this profile has no \(names); keychainctl migrate ~/.aws/credentials stores"
                        + " what is in that file"
                )
            )
        }
        var reach = OutOfReach()
        var members: [String: JSONValue] = ["Version": .number(1)]
        for member in Member.all {
            guard let item = items[member.account] else { continue }
            do throws(CommandFailure) {
                members[member.name] = .secret(try value(of: item, member.account))
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(item, error)
            }
        }
        try reach.finish(context, Self.nothing)
        return members
    }

    private static let nothing = "AWS's tools get nothing of this profile"

    /// Returns the items of the service, by account.
    private func items(
        _ filter: AttributeDictionary
    ) throws(CommandFailure) -> [String: OutOfReachItem] {
        var filter = filter
        filter[.service] = .string(service)
        let listing = try context.listing(
            of: .genericPassword,
            where: filter,
            returning: [.returnPersistentReference]
        )
        var reach = OutOfReach()
        var items: [String: OutOfReachItem] = [:]
        for item in listing.items.compactMap(OutOfReachItem.init) + listing.outOfReach {
            guard case .string(let account)? = item.attributes[.account] else {
                reach.add(item)
                continue
            }
            guard Member.all.contains(where: { $0.account == account }) else { continue }
            guard items.updateValue(item, forKey: account) == nil else {
                throw .input(
                    "the profile has two items for account \(account); choose with --access-group,"
                        + " or delete one"
                )
            }
        }
        try reach.finish(context, Self.nothing)
        return items
    }

    private func value(
        of item: OutOfReachItem,
        _ account: String
    ) throws(CommandFailure) -> SharedSecret {
        let found = try context.item(.genericPassword, named: item.persistentReference)
        let value = found.data ?? SharedSecret(Secret(copying: []))
        guard value.secret.withUnsafeBytes(ByteRule.isText) else {
            throw .keychain(KeychainError(.decode, "the value of \(account) is not text"))
        }
        return value
    }
}
