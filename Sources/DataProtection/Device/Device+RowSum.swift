// The keybag's mark about the store. A store without a row sum is either old or has lost it. Only
// the keybag can tell, because an attacker who can write the store could fake an old one.
//
// Source: Documentation/Spec/keybag.md §2; Documentation/Spec/store.md §6.
extension Device {
    /// Whether the store keeps a sum of its rows; true for every new keybag.
    package var sumsRows: Bool { keybag.record.sumsRows }

    /// Records that the store keeps a row sum from now on; durable when the call returns.
    ///
    /// - Returns: The announcements to applications.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, the errors of the element, or
    ///   `cryptography`.
    package mutating func noteRowSum(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // The keychain may have been locked: only what is open in this epoch may be shared
            // below.
            if !isEpochCurrent { try followEpoch(at: now) }
            guard !sumsRows else { return }
            let storage = self.storage
            try keybag.noteRowSum { bytes throws(DeviceError) in
                try Self.save(bytes, in: storage)
            }
            stamp = try Self.stamp(in: storage)
            shareSession(at: now)
        }
        return takeAnnouncements()
    }
}
