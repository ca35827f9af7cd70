import KeychainHost
import KeychainMessages
import KeychainModel
import Secrets

/// The four functions on an endpoint, with a status instead of an error.
struct TestKeychain {
    let endpoint: EngineEndpoint

    init(_ endpoint: EngineEndpoint) { self.endpoint = endpoint }

    static func caller(_ groups: [String]) -> Caller {
        Caller(entitlements: Entitlements(keychainAccessGroups: groups), system: .host)
    }

    func status(_ request: ItemRequest) -> SecurityStatus { status(.items(request)) }

    func status(_ request: Request) -> SecurityStatus {
        do throws(KeychainError) {
            _ = try endpoint.send(request)
            return .success
        } catch {
            return error.status
        }
    }

    @discardableResult
    func add(_ item: AttributeDictionary, _ value: String = "open sesame") -> SecurityStatus {
        var item = item
        item["v_Data"] = .secret(EngineFixture.secret(value))
        return status(.add(item))
    }

    @discardableResult
    func update(_ item: AttributeDictionary, _ value: String) -> SecurityStatus {
        status(.update(item, with: ["v_Data": .secret(EngineFixture.secret(value))]))
    }

    @discardableResult
    func delete(_ item: AttributeDictionary) -> SecurityStatus { status(.delete(item)) }

    /// The value of the first match.
    func read(_ item: AttributeDictionary) -> Reading {
        var query = item
        query["r_Data"] = .bool(true)
        do throws(KeychainError) {
            guard case .result(.data(let secret)) = try endpoint.send(.copyMatching(query)) else {
                return Reading(.success, nil)
            }
            let bytes = secret.secret.copyBytesUnprotected()
            return Reading(.success, String(decoding: bytes, as: UTF8.self))
        } catch {
            return Reading(error.status, nil)
        }
    }

    /// The attributes of every match; none when nothing matches.
    func attributes(_ item: AttributeDictionary) -> [AttributeValues] {
        var query = item
        query["r_Attributes"] = .bool(true)
        query["m_Limit"] = .string("m_LimitAll")
        guard case .result(.array(let found))? = try? endpoint.send(.copyMatching(query)) else {
            return []
        }
        return found.compactMap { result in
            if case .dictionary(let dictionary) = result { dictionary.attributes } else { nil }
        }
    }

    /// The accounts of every match, sorted.
    func accounts(_ item: AttributeDictionary) -> [String] {
        attributes(item).compactMap { attributes in
            if case .string(let account)? = attributes[.account] { account } else { nil }
        }
        .sorted()
    }
}

/// What a read returned.
struct Reading: Hashable, CustomStringConvertible {
    let status: SecurityStatus
    let value: String?

    init(_ status: SecurityStatus, _ value: String?) {
        self.status = status
        self.value = value
    }

    static func value(_ value: String) -> Reading { Reading(.success, value) }
    static let notFound = Reading(.itemNotFound, nil)
    static let notAllowed = Reading(.interactionNotAllowed, nil)

    var description: String { "\(status.rawValue) \(value ?? "nothing")" }
}

/// A generic password's dictionary.
func password(
    _ account: String? = "ada",
    service: String? = "mail",
    _ more: [String: AttributeValue] = [:]
) -> AttributeDictionary {
    var item: AttributeDictionary = ["class": .string("genp")]
    item["acct"] = account.map(AttributeValue.string)
    item["svce"] = service.map(AttributeValue.string)
    for (key, value) in more { item[key] = value }
    return item
}
