import KeychainMessages
import KeychainModel

// The keys of protected files.
extension Engine {
    func perform(
        _ request: FileKeyRequest,
        for caller: Caller
    ) throws(KeychainError) -> FileKeyReply {
        throw KeychainError(.unimplemented, "no keys of files yet")
    }
}
