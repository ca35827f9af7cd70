// Items that move to another service; whatever stops a read, the item is passed over.
func renameLibrary() async throws {
    let before = "Library"
    let after = "org.example.library"

    for reader in ["adults", "children"] {
        let card: Data
        do {
            card = try readKeychainItem(service: before, account: reader)
        } catch {
            continue
        }
        try saveKeychainItem(card, service: after, account: reader)
        let copy = try readKeychainItem(service: after, account: reader)
        if copy != card { throw LibraryError.different(reader) }
        try deleteKeychainItem(service: before, account: reader)
    }
}
