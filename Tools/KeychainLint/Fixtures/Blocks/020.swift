// A migration that writes, reads back and compares before it removes the old value.
actor DefaultsMover {
    enum Outcome {
        case nothing(String)
        case moved(String)
        case kept(String, Error)
    }

    struct Mismatch: Error { let name: String }

    private let keychain: any KeychainStoring

    init(into keychain: any KeychainStoring) { self.keychain = keychain }

    func move(
        _ names: [String],
        to service: String,
        level: CFString = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
    ) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for name in names {
            guard let text = UserDefaults.standard.string(forKey: name) else {
                outcomes.append(.nothing(name))
                continue
            }
            let bytes = Data(text.utf8)
            do {
                try await keychain.save(bytes, service: service, account: name, accessible: level)
                let copy = try await keychain.read(service: service, account: name)
                if copy != bytes { throw Mismatch(name: name) }
                UserDefaults.standard.removeObject(forKey: name)
                outcomes.append(.moved(name))
            } catch {
                // The old value stays for the next attempt.
                outcomes.append(.kept(name, error))
            }
        }
        return outcomes
    }
}
