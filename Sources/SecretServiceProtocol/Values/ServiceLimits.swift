/// ★ Table: the limits for clients.
///
/// - Source: Documentation/Spec/secret-service.md §6.
package struct ServiceLimits: Sendable {
    /// The sessions of one client.
    ///
    /// Python's secretstorage opens one for each item that it reads.
    package var sessionsPerClient = 16_384
    package var sessions = 65_536
    package var promptsPerClient = 8
    package var prompts = 64
    package var attributes = 500
    /// The size of all attribute names and values together, with 4 bytes for each pair.
    package var attributesByteCount = 65_000
    package var labelByteCount = 16_384
    package var contentTypeByteCount = 256
    package var secretByteCount = 1 << 20
    /// The size of all secrets in one reply.
    ///
    /// The bus permits messages of at most 128 MiB.
    package var replyByteCount = 32 << 20
    package var paths = 16_384
    package var pathByteCount = 256
    package var collections = 64
    /// The aliases of one collection.
    package var aliases = 16
    package var itemsInMemory = 10_000
    /// The size of all items in memory, with their secrets, labels and attributes.
    package var memoryByteCount = 16 << 20
    /// The number of separated programs at a time.
    package var programs = 256

    package init() {}

    /// The prefix of attribute names that belong to the service.
    package static let reservedPrefix = "keychain:"

    func check(attributes: [String: String]) throws(SecretServiceError) {
        guard attributes.count <= self.attributes else {
            throw SecretServiceError(.limitsExceeded, "over \(self.attributes) attributes")
        }
        for (name, value) in attributes {
            guard !name.hasPrefix(Self.reservedPrefix) else {
                let reason = "attribute names do not start with \(Self.reservedPrefix)"
                throw SecretServiceError(.invalidArguments, reason)
            }
            guard !name.isEmpty, !value.utf8.contains(0), !name.utf8.contains(0) else {
                throw SecretServiceError(.invalidArguments, "an attribute has no name")
            }
        }
        let count = attributes.reduce(0) { $0 + 4 + $1.key.utf8.count + $1.value.utf8.count }
        guard count <= attributesByteCount else {
            let reason = "attributes of more than \(attributesByteCount) bytes"
            throw SecretServiceError(.limitsExceeded, reason)
        }
    }

    func check(label: String) throws(SecretServiceError) {
        try check(label, labelByteCount, "a label")
    }

    func check(contentType: String) throws(SecretServiceError) {
        try check(contentType, contentTypeByteCount, "a content type")
    }

    func check(paths: [String]) throws(SecretServiceError) {
        guard paths.count <= self.paths else {
            throw SecretServiceError(.limitsExceeded, "over \(self.paths) objects in one call")
        }
    }

    func check(secretByteCount count: Int) throws(SecretServiceError) {
        guard count <= secretByteCount else {
            let reason = "a secret of more than \(secretByteCount) bytes"
            throw SecretServiceError(.limitsExceeded, reason)
        }
    }

    private func check(
        _ text: String,
        _ limit: Int,
        _ what: String
    ) throws(SecretServiceError) {
        guard text.utf8.count <= limit else {
            throw SecretServiceError(.limitsExceeded, "\(what) has more than \(limit) bytes")
        }
    }
}
