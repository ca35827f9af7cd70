// The keybag's word on the store: whether a store without a sum of its rows is an old one, or one
// that lost it. Only the keybag can say, as whoever writes the store could fake an old one.
//
// Source: Documentation/Spec/keybag.md §2; Documentation/Spec/store.md §6.
extension Device {
    /// Whether the store keeps a sum of its rows; true for every new keybag.
    package var sumsRows: Bool { keybag.record.sumsRows }

    /// Notes that the store keeps a sum of its rows from now on; durable when the call returns.
    ///
    /// - Returns: What to announce.
    /// - Throws: `storage`, `busy`, `damaged`, `missing`, what the element throws, or
    ///   `cryptography`.
    package mutating func noteRowSum(
        at now: DeviceInstant
    ) throws(DeviceError) -> [DeviceAnnouncement] {
        try storage.withExclusiveLock { () throws(DeviceError) in
            try reload(at: now)
            // Somebody may have locked: what is shared below is what is open in this epoch.
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
