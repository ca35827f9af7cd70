import KeychainModel

// The four functions on a rig's keychain.
extension Rig {
    /// Returns the attributes of a password with this account; `more` are further attributes.
    static func item(
        _ account: String?,
        class letters: String = "genp",
        _ more: [String: AttributeValue] = [:]
    ) -> AttributeDictionary {
        var item: AttributeDictionary = ["class": .string(letters)]
        item["acct"] = account.map(AttributeValue.string)
        for (key, value) in more { item[key] = value }
        return item
    }

    func add(_ item: AttributeDictionary, _ value: String) throws(KeychainError) {
        _ = try endpoint().send(.add(Self.filled(item, value)))
    }

    static func filled(_ item: AttributeDictionary, _ value: String) -> AttributeDictionary {
        var item = item
        item["v_Data"] = .secret(Self.secret(value))
        return item
    }

    func update(_ item: AttributeDictionary, _ value: String) throws(KeychainError) {
        _ = try endpoint().send(.update(item, with: ["v_Data": .secret(Self.secret(value))]))
    }

    func update(
        _ item: AttributeDictionary,
        with changes: AttributeDictionary
    ) throws(KeychainError) {
        _ = try endpoint().send(.update(item, with: changes))
    }

    func replaceAccessControl(
        of item: AttributeDictionary,
        with flags: AccessControl.Flags
    ) throws(KeychainError) {
        _ = try endpoint().send(.replaceAccessControl(item, flags: flags, protection: nil))
    }

    func delete(_ item: AttributeDictionary) throws(KeychainError) {
        _ = try endpoint().send(.delete(item))
    }

    /// Returns the value of the first match.
    func read(_ item: AttributeDictionary) throws(KeychainError) -> String? {
        var query = item
        query["r_Data"] = .bool(true)
        guard case .result(.data(let secret)) = try endpoint().send(.copyMatching(query)) else {
            return nil
        }
        return String(decoding: secret.secret.copyBytesUnprotected(), as: UTF8.self)
    }

    /// Returns a sentence for each item of a class.
    func sentences(of itemClass: ItemClass) throws(KeychainError) -> [String] {
        var query: AttributeDictionary = ["class": .string(itemClass.rawValue)]
        query["sync"] = .string("syna")
        query["m_Limit"] = .string("m_LimitAll")
        query["r_Attributes"] = .bool(true)
        query["r_Data"] = .bool(true)
        do throws(KeychainError) {
            guard case .result(.array(let all)) = try endpoint().send(.copyMatching(query)) else {
                return []
            }
            return all.map { Self.sentence($0, itemClass) }.sorted()
        } catch {
            guard error.status == .itemNotFound else { throw error }
            return []
        }
    }

    /// The attributes that a user chose; dates and references differ in every run.
    private static let shown = [
        "acct", "agrp", "pdmn", "accc", "sync", "labl", "icmt", "svce", "srvr",
    ]

    private static func sentence(_ result: ItemResult, _ itemClass: ItemClass) -> String {
        guard case .dictionary(let item) = result else { return "no dictionary" }
        let attributes = item.attributes.filter { shown.contains($0.key.rawValue) }
            .map { "\($0.key.rawValue)=\($0.value)" }.sorted().joined(separator: " ")
        let value = item.data.map {
            String(decoding: $0.secret.copyBytesUnprotected(), as: UTF8.self)
        }
        return "\(itemClass.rawValue) \(attributes): \(value ?? "nothing")"
    }
}
