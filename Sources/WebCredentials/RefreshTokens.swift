import KeychainModel
import Secrets

/// OAuth refresh tokens, each in a generic password beside its credential.
///
/// They are not passwords of a server, and must never be offered as one. So they are not internet
/// passwords.
package struct RefreshTokens {
    private let keychain: CredentialKeychain

    package init(_ keychain: CredentialKeychain) { self.keychain = keychain }

    /// Returns the token of an account; nil if there is none.
    package func token(
        for request: WebRequest,
        account: ItemName
    ) throws(KeychainError) -> SharedSecret? {
        do throws(KeychainError) {
            return try keychain.firstItem(name(request, account), returning: [.returnData]).data
        } catch  where error.status == .itemNotFound {
            return nil
        }
    }

    /// Stores the token of an account; nil deletes it.
    package func set(
        _ token: SharedSecret?,
        for request: WebRequest,
        account: ItemName
    ) throws(KeychainError) {
        guard let token else { return try erase(for: request, account: account) }
        var item = name(request, account)
        item[QueryKey.valueData.rawValue] = .secret(token)
        item[.label] = item[.service]
        do throws(KeychainError) {
            _ = try keychain.send(.add(item))
        } catch  where error.status == .duplicateItem {
            let change: AttributeDictionary = [QueryKey.valueData.rawValue: .secret(token)]
            _ = try keychain.send(.update(name(request, account), with: change))
        }
    }

    package func erase(for request: WebRequest, account: ItemName) throws(KeychainError) {
        do throws(KeychainError) {
            _ = try keychain.send(.delete(name(request, account)))
        } catch  where error.status == .itemNotFound {
            return
        }
    }

    private func name(_ request: WebRequest, _ account: ItemName) -> AttributeDictionary {
        var item: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue)
        ]
        item[.service] = .string("oauth_refresh_token \(request.url)")
        item[.account] = account.value
        return item
    }
}
