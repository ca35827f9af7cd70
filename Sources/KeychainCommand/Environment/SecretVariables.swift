import KeychainMessages
import KeychainModel
import Secrets

/// The environment variables for the passwords of one service.
struct SecretVariables {
    typealias Variable = (name: String, value: SharedSecret)

    let service: String
    let context: CommandContext
    /// The names of guarded variables that the user allows.
    let allowed: Set<String>

    /// An item that becomes a variable.
    private struct Candidate {
        let name: String
        let item: OutOfReachItem
    }

    /// Reads the secrets, in the order in which the items were added.
    ///
    /// It checks all names before it reads a secret, so that a command that cannot run causes no
    /// prompt.
    ///
    /// - Throws: `CommandFailure.input` for a guarded name, or a name that two items share;
    ///   `errSecItemNotFound` for a service without items; the status of the first item if none
    ///   opens.
    func read(_ filter: AttributeDictionary) throws(CommandFailure) -> [Variable] {
        var reach = OutOfReach()
        let candidates = try candidates(filter, &reach)
        try checkNames(candidates.map(\.name))
        var variables: [Variable] = []
        for candidate in candidates {
            do throws(CommandFailure) {
                variables.append((candidate.name, try value(of: candidate)))
            } catch .keychain(let error) where error.isOutOfReach {
                reach.add(candidate.item, error)
            }
        }
        guard !variables.isEmpty else {
            try reach.finish(context, "the command was not run")
            throw .keychain(
                KeychainError(
                    .itemNotFound,
                    "no password is stored for this service; see keychainctl dump-keychain"
                )
            )
        }
        try reach.tell(context)
        if !reach.isEmpty {
            try context.note("warning: the command runs without the variables named above")
        }
        return variables
    }

    private func candidates(
        _ filter: AttributeDictionary,
        _ reach: inout OutOfReach
    ) throws(CommandFailure) -> [Candidate] {
        var filter = filter
        filter[.service] = .string(service)
        let listing = try context.listing(
            of: .genericPassword,
            where: filter,
            returning: [.returnPersistentReference]
        )
        var candidates: [Candidate] = []
        for item in listing.items.compactMap(OutOfReachItem.init) + listing.outOfReach {
            guard case .string(let name)? = item.attributes[.account] else {
                reach.add(item)
                continue
            }
            guard Self.isName(name) else {
                try context.note(
                    "note: the account '\(name)' cannot be the name of a variable: left out"
                )
                continue
            }
            candidates.append(Candidate(name: name, item: item))
        }
        return candidates
    }

    private func checkNames(_ names: [String]) throws(CommandFailure) {
        var known = Set<String>()
        for name in names {
            guard known.insert(name).inserted else {
                throw .input(
                    "the service has two items for account \(name); choose with --access-group, or"
                        + " delete one"
                )
            }
            guard let rule = GuardedVariable.rule(for: name), !allowed.contains(name) else {
                continue
            }
            throw .input(
                "the item \(name) would change \(rule.effect); to set it anyway, add"
                    + " --allow \(name)"
            )
        }
    }

    private func value(of candidate: Candidate) throws(CommandFailure) -> SharedSecret {
        let found = try context.item(.genericPassword, named: candidate.item.persistentReference)
        let value = found.data ?? SharedSecret(Secret(copying: []))
        guard value.secret.withUnsafeBytes({ !$0.contains(0) }) else {
            let reason = "\(candidate.name) contains a NUL byte, which a variable cannot contain"
            throw .keychain(KeychainError(.decode, reason))
        }
        return value
    }

    /// Whether a name can be the name of a variable.
    ///
    /// - Source: POSIX.1-2017, XBD §8.1.
    private static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        guard let first = bytes.first, !("0"..."9").contains(UnicodeScalar(first)) else {
            return false
        }
        return bytes.allSatisfy { byte in
            let scalar = UnicodeScalar(byte)
            return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar) || scalar == "_"
        }
    }
}

extension OutOfReachItem {
    /// Describes a listed item whose secret may turn out not to open.
    init?(_ item: ItemDictionary) {
        guard let reference = item.persistentReference else { return nil }
        self.init(
            .genericPassword,
            .lockState,
            attributes: item.attributes,
            persistentReference: reference,
            error: KeychainError(.interactionNotAllowed, "its value does not open now")
        )
    }
}
