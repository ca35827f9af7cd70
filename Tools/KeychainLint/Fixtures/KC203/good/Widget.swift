import Security
import WidgetKit

struct Provider: TimelineProvider {
    func getTimeline(
        in context: Context,
        completion: @escaping (Timeline<Entry>) -> Void
    ) {
        completion(Timeline(entries: [Entry(token())], policy: .never))
    }

    private func token() -> (OSStatus, Data?) {
        let query: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword,
            kSecAttrService as String: Store.service,
            kSecAttrAccount as String: "refresh",
            kSecReturnData as String: true,
        ]
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result as? Data)
    }
}
