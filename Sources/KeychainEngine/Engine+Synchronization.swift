import DataProtection
import KeychainMessages
import KeychainModel

// The keychain's side of synchronization.
//
// Source: Documentation/Spec/sync.md.
extension Engine {
    func perform(
        _ request: SynchronizationRequest
    ) throws(KeychainError) -> SynchronizationReply {
        throw KeychainError(.unimplemented, "synchronization comes with the next version")
    }
}
