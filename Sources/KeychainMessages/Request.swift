/// Every request to a keychain.
///
/// A request, like every message here, is a plain value: it can be sent to another process. A
/// secret in it always has the type `SharedSecret`.
package enum Request: Sendable {
    case items(ItemRequest)
    case elementKey(ElementKeyRequest)
    case authenticate(AuthenticationRequest)
    case device(DeviceRequest)
    case maintenance(MaintenanceRequest)
    case fileKeys(FileKeyRequest)
    case synchronization(SynchronizationRequest)
}

/// Every reply of a keychain, with a group of replies for each group of requests.
package enum Reply: Sendable {
    case items(ItemReply)
    case elementKey(ElementKeyReply)
    case authentication(AuthenticationReply)
    case device(DeviceReply)
    case maintenance(MaintenanceReply)
    case fileKeys(FileKeyReply)
    case synchronization(SynchronizationReply)
}
