import Cryptography
import KeychainCommand
import KeychainMigration
import SecretServiceClient
import SecretServiceNames

/// The names of items that keep their attributes, which `keychain-secret-service` would choose too.
///
/// Some items of a Secret Service differ only in attributes that are not part of these names. Each
/// of these gets the first eight digits of the attributes' digest after its account. So it has the
/// same name in every run.
enum KeptItem {
    static func targets(
        of items: [SecretServiceItem],
        _ service: any SecretService,
        _ arguments: Arguments
    ) throws(SourceFailure) -> [SecretTarget] {
        let names = items.map { StoredNames(attributes: $0.attributes, label: $0.label) }
        var marks: [String] = []
        for item in items { marks.append(try item.mark) }
        let known = Dictionary(zip(names, marks).map { ($0.0.key, Set([$0.1])) }) { $0.union($1) }
        return zip(items, zip(names, marks)).map { item, name in
            let (names, mark) = name
            let isAlone = known[names.key]?.count == 1
            let type = (try? service.value(at: item.path))?.contentType ?? ordinaryType
            return SecretTarget(
                service: names.service,
                account: isAlone ? names.account : "\(names.account) #\(mark)",
                title: item.label,
                description: type == ordinaryType ? nil : type,
                isThisDeviceOnly: arguments.has(.thisDeviceOnly)
            )
        }
    }

    private static let ordinaryType = "text/plain"
}

extension StoredNames {
    fileprivate var key: [String] { [service, account] }
}

extension SecretServiceItem {
    /// The first eight digits of a digest of all attributes.
    fileprivate var mark: String {
        get throws(SourceFailure) {
            let pairs = ownAttributes.sorted { $0.key < $1.key }
            let parts = pairs.flatMap { [$0.key, $0.value] } + [schema ?? ""]
            // The lengths distinguish `ab`, `c` from `a`, `bc`.
            let text = parts.map { "\($0.utf8.count):\($0)" }.joined()
            do throws(CryptographyError) {
                return Hexadecimal.text(Array(try Digest.sha256(Array(text.utf8)).prefix(4)))
            } catch {
                throw SourceFailure(.unreadable, "\(SecretServiceSource.storeName): \(label)")
            }
        }
    }
}
