import KeychainModel
import KeychainSyncDriver

// Membership of an account, whose devices share their synchronizable items.
extension SimulatedDevice {
    /// Signs the device in to an account, from which it gets the other devices' synchronizable
    /// items.
    ///
    /// Its own synchronizable items go to the other devices, too.
    ///
    /// - Throws: ``SimulatorError`` with `errSecInteractionNotAllowed` unless the device is
    ///   unlocked, with `errSecDuplicateItem` if it is signed in to an account, and with
    ///   `errSecUnimplemented` on `.iOSSimulator`, which has no secure element.
    public func signIn(to account: SimulatedSyncAccount) throws {
        guard seat.withLock({ $0 == nil }) else {
            throw SimulatorError(
                KeychainError(.duplicateItem, "the device is signed in to an account")
            )
        }
        let id = try account.join(self)
        seat.withLock { $0 = DeviceSeat(account: account, id: id) }
    }

    /// Signs the device out of its account; its items stay.
    public func signOut() {
        guard let taken = takeSeat() else { return }
        taken.account.leave(taken.id)
    }

    /// The account that the device is signed in to.
    public var account: SimulatedSyncAccount? { seat.withLock { $0?.account } }

    /// The network between the device and its account.
    ///
    /// Without an account, changes have no effect.
    ///
    /// ```swift
    /// phone.network.isOffline = true
    /// ```
    public var network: SimulatedNetwork {
        get { atSeat { $0.network } ?? SimulatedNetwork() }
        set { _ = atSeat { $0.network = newValue } }
    }

    /// Whether the device exchanges items with its account.
    ///
    /// While it is off, synchronizable items stay local. It can be changed while the device is
    /// unlocked; a locked device and one without an account return false.
    public var isSynchronizationOn: Bool {
        get { atSeat { $0.isOn == true } ?? false }
        set { _ = atSeat { $0.isOn = newValue } }
    }

    private func atSeat<R: Sendable>(_ body: @Sendable (SyncSeat) -> R) -> R? {
        guard let taken = seat.withLock({ $0 }) else { return nil }
        return taken.account.seat(taken.id, body)
    }

    /// Returns the device's seat, and removes it from the device.
    func takeSeat() -> DeviceSeat? {
        seat.withLock { seat in
            defer { seat = nil }
            return seat
        }
    }
}

/// The device's place in an account.
struct DeviceSeat: Sendable {
    let account: SimulatedSyncAccount
    let id: SyncSeatID
}

extension SimulatorError {
    init(_ failure: SyncFailure) {
        switch failure {
        case .keychain(let error): self.init(error)
        default: self.init(KeychainError(.notAvailable, "synchronization: \(failure)"))
        }
    }
}
