import KeychainModel
import Secrets

/// OAuth refresh tokens, each a generic password beside the credential it renews.
///
/// They are no passwords of a server and must never be offered as one, so they are none.
struct RefreshTokens {
    let context: CommandContext

    /// The token of an account; nil for none.
    func token(
        for request: WebRequest,
        account: String
    ) throws(CommandFailure) -> SharedSecret? {
        do throws(CommandFailure) {
            return try context.firstItem(name(request, account), returning: [.returnData]).data
        } catch .keychain(let error) where error.status == .itemNotFound {
            return nil
        }
    }

    /// Stores the token of an account, or deletes it where there is none any more.
    func set(
        _ token: SharedSecret?,
        for request: WebRequest,
        account: String
    ) throws(CommandFailure) {
        guard let token else { return try erase(for: request, account: account) }
        var item = name(request, account)
        item[QueryKey.valueData.rawValue] = .secret(token)
        item[.label] = item[.service]
        do throws(CommandFailure) {
            _ = try context.send(.add(item))
        } catch .keychain(let error) where error.status == .duplicateItem {
            let change: AttributeDictionary = [QueryKey.valueData.rawValue: .secret(token)]
            _ = try context.send(.update(name(request, account), with: change))
        }
    }

    func erase(for request: WebRequest, account: String) throws(CommandFailure) {
        do throws(CommandFailure) {
            _ = try context.send(.delete(name(request, account)))
        } catch .keychain(let error) where error.status == .itemNotFound {
            return
        }
    }

    private func name(_ request: WebRequest, _ account: String) -> AttributeDictionary {
        var item: AttributeDictionary = [
            QueryKey.itemClass.rawValue: .string(ItemClass.genericPassword.rawValue)
        ]
        item[.service] = .string("oauth_refresh_token \(request.url)")
        item[.account] = .string(account)
        return item
    }
}
