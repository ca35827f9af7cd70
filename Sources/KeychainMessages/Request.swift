/// Everything that can be asked of a keychain.
///
/// A request, like every message here, is a plain value: it can be sent to another process.
/// Secrets in it are of the type `SharedSecret`, and of no other.
package enum Request: Sendable {
    case items(ItemRequest)
    case elementKey(ElementKeyRequest)
    case authenticate(AuthenticationRequest)
    case device(DeviceRequest)
    case maintenance(MaintenanceRequest)
    case fileKeys(FileKeyRequest)
    case synchronization(SynchronizationRequest)
}

/// Everything that a keychain answers: a group of replies for each group of requests.
package enum Reply: Sendable {
    case items(ItemReply)
    case elementKey(ElementKeyReply)
    case authentication(AuthenticationReply)
    case device(DeviceReply)
    case maintenance(MaintenanceReply)
    case fileKeys(FileKeyReply)
    case synchronization(SynchronizationReply)
}
