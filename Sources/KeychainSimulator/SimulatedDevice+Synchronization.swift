import KeychainModel
import KeychainSyncDriver

// A device with an account, whose other devices have the same synchronizable items.
extension SimulatedDevice {
    /// Signs the device in to an account, from which it gets the others' synchronizable items.
    ///
    /// Items that the device has already go to the others, too.
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

    /// The way between the device and its account; without an account, nothing changes it.
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

    /// The device's seat, which it has no more.
    func takeSeat() -> DeviceSeat? {
        seat.withLock { seat in
            defer { seat = nil }
            return seat
        }
    }
}

/// Where a device sits.
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
