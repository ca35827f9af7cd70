import KeychainMigration
import SecretServiceClient

/// Puts the secrets of one run back into the Secret Service.
struct SecretServiceUndo {
    let request: UndoRequest
    let service: any SecretService

    /// The collection for items whose own is gone, as on another machine.
    private static let defaultCollection = "/org/freedesktop/secrets/aliases/default"

    /// Creates the missing items; returns an outcome for each secret of the run.
    func run() throws(SourceFailure) -> [UndoOutcome] {
        let items = try service.listing().items
        return request.run.secrets.map { taken in
            guard case .secretService(let origin) = taken.origin else {
                return .damagedRecord
            }
            do throws(SourceFailure) {
                return try putBack(taken, origin, among: items)
            } catch {
                return .failed(error)
            }
        }
    }

    private func putBack(
        _ taken: TakenSecret,
        _ origin: SecretServiceOrigin,
        among items: [SecretServiceItem]
    ) throws(SourceFailure) -> UndoOutcome {
        let same = items.filter { $0.hasAttributes(of: item(origin, in: origin.collection)) }
        let known = same.first { $0.collection == origin.collection } ?? same.first
        guard let value = request.values[taken.key] else {
            return known == nil ? .missing : .alreadyThere
        }
        let returned = SecretServiceValue(value.secret, contentType: origin.contentType)
        guard let known else {
            if !request.isDryRun { try create(origin, returned) }
            return request.done
        }
        guard try !service.value(at: known.path).secret.matches(value.secret) else {
            return .alreadyThere
        }
        guard request.isForced else { return .changed("the service has another value") }
        if !request.isDryRun {
            try service.replace(known.path, with: returned)
            try verify(known.path, returned)
        }
        return request.done
    }

    private func create(
        _ origin: SecretServiceOrigin,
        _ value: SecretServiceValue
    ) throws(SourceFailure) {
        let path: String
        do throws(SourceFailure) {
            path = try service.create(item(origin, in: origin.collection), value)
        } catch {
            path = try service.create(item(origin, in: Self.defaultCollection), value)
        }
        try verify(path, value)
    }

    private func item(
        _ origin: SecretServiceOrigin,
        in collection: String
    ) -> SecretServiceItem {
        SecretServiceItem(
            path: "",
            collection: collection,
            label: origin.label,
            attributes: origin.attributes
        )
    }

    private func verify(
        _ path: String,
        _ value: SecretServiceValue
    ) throws(SourceFailure) {
        guard try service.value(at: path).secret.matches(value.secret) else {
            throw SourceFailure(.changed, SecretServiceSource.storeName)
        }
    }
}
