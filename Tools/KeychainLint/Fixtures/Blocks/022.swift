// Migrations in a chain, whose version is in the keychain and read with `try?` in two places.
actor Upgrades {
    private static let newest = 3
    private let service = "org.example.ledger"
    private let versionAccount = "layout"

    enum Outcome {
        case current
        case upgraded(from: Int)
        case later
        case stopped(Error)
    }

    func upgradeIfNeeded() async -> Outcome {
        let open = await MainActor.run { UIApplication.shared.isProtectedDataAvailable }
        if !open { return .later }
        let before = layoutVersion()
        if before >= Self.newest { return .current }
        do {
            if before < 1 { try await takeDefaults() }
            if before < 2 { try takeArchive() }
            if before < 3 { try raiseLevel() }
            try saveKeychainItem(
                Data(String(Self.newest).utf8), service: service, account: versionAccount)
            return .upgraded(from: before)
        } catch {
            Logger.upgrades.error("Stopped: \(error.localizedDescription, privacy: .public)")
            return .stopped(error)
        }
    }

    private func layoutVersion() -> Int {
        guard
            let bytes = try? readKeychainItem(service: service, account: versionAccount),
            let number = Int(String(decoding: bytes, as: UTF8.self))
        else { return 0 }
        return number
    }

    private func takeDefaults() async throws {
        let outcomes = await DefaultsMover(into: DeviceKeychain.shared)
            .move(["bankPin", "ledgerPassword"], to: service)
        Logger.upgrades.info("Looked at \(outcomes.count) values")
    }

    private func takeArchive() throws {
        let file = URL.documentsDirectory.appending(path: "ledger.keyed")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        let old = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: OldLedger.self, from: Data(contentsOf: file))
        guard let old else { throw UpgradeError.unreadable(file) }
        let bytes = try JSONEncoder().encode(Ledger(old))
        try saveKeychainItem(bytes, service: service, account: "ledger")
        let copy = try readKeychainItem(service: service, account: "ledger")
        if copy != bytes { throw UpgradeError.different }
        try FileManager.default.removeItem(at: file)
    }

    private func raiseLevel() throws {
        for account in ["bankPin", "ledgerPassword", "ledger"] {
            guard let bytes = try? readKeychainItem(service: service, account: account) else {
                continue
            }
            try saveKeychainItem(
                bytes, service: service, account: account,
                accessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly)
        }
    }
}

extension Logger {
    fileprivate static let upgrades = Logger(subsystem: "org.example.ledger", category: "upgrades")
}
