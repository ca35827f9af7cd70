extension SyncMachine {
    /// Begins to read all streams again, because the keychain exchanges other classes now.
    ///
    /// What it did not contain is forgotten: the streams bring it back.
    ///
    /// - Returns: What has to be stored.
    package mutating func readEverythingAgain() -> MemoryChanges {
        for (item, known) in memory.versions where !known.isHeld {
            memory.versions[item] = nil
            changes.versions.insert(item)
        }
        for peer in memory.streams.keys where peer != memory.peer {
            memory.streams[peer] = StreamMemory()
            changes.streams.insert(peer)
        }
        return takeTransaction().changes
    }
}
