import KeychainHost
import KeychainMessages
import KeychainModel
import ModelTestSupport
import Secrets

/// The four functions on an endpoint, with a status instead of an error.
package struct TestKeychain {
    package let endpoint: EngineEndpoint

    package init(_ endpoint: EngineEndpoint) { self.endpoint = endpoint }

    package static func caller(_ groups: [String]) -> Caller {
        Caller(entitlements: Entitlements(keychainAccessGroups: groups), system: .host)
    }

    package func status(_ request: ItemRequest) -> SecurityStatus { status(.items(request)) }

    package func status(_ request: Request) -> SecurityStatus {
        do throws(KeychainError) {
            _ = try endpoint.send(request)
            return .success
        } catch {
            return error.status
        }
    }

    @discardableResult
    package func add(
        _ item: AttributeDictionary,
        _ value: String = "open sesame"
    ) -> SecurityStatus {
        var item = item
        item[.valueData] = .secret(EngineFixture.secret(value))
        return status(.add(item))
    }

    @discardableResult
    package func update(_ item: AttributeDictionary, _ value: String) -> SecurityStatus {
        status(.update(item, with: [.valueData: .secret(EngineFixture.secret(value))]))
    }

    @discardableResult
    package func delete(_ item: AttributeDictionary) -> SecurityStatus { status(.delete(item)) }

    /// The value of the first match.
    package func read(_ item: AttributeDictionary) -> Reading {
        var query = item
        query[.returnData] = .bool(true)
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
    package func attributes(_ item: AttributeDictionary) -> [AttributeValues] {
        var query = item
        query[.returnAttributes] = .bool(true)
        query[.matchLimit] = .string(.limitAll)
        guard case .result(.array(let found))? = try? endpoint.send(.copyMatching(query)) else {
            return []
        }
        return found.compactMap { result in
            if case .dictionary(let dictionary) = result { dictionary.attributes } else { nil }
        }
    }

    /// The accounts of every match, sorted.
    package func accounts(_ item: AttributeDictionary) -> [String] {
        attributes(item).compactMap { attributes in
            if case .string(let account)? = attributes[.account] { account } else { nil }
        }
        .sorted()
    }
}

/// What a read returned.
package struct Reading: Hashable, CustomStringConvertible {
    package let status: SecurityStatus
    package let value: String?

    package init(_ status: SecurityStatus, _ value: String?) {
        self.status = status
        self.value = value
    }

    package static func value(_ value: String) -> Reading { Reading(.success, value) }
    package static let notFound = Reading(.itemNotFound, nil)
    package static let notAllowed = Reading(.interactionNotAllowed, nil)

    package var description: String { "\(status.rawValue) \(value ?? "nothing")" }
}

/// A generic password's dictionary.
package func password(
    _ account: String? = "ada",
    service: String? = "mail",
    _ more: [String: AttributeValue] = [:]
) -> AttributeDictionary {
    var item: AttributeDictionary = .of(.genericPassword)
    item[.account] = account.map(AttributeValue.string)
    item[.service] = service.map(AttributeValue.string)
    for (key, value) in more { item[key] = value }
    return item
}
