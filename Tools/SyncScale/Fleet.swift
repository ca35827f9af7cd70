import Cryptography
import KeychainSync
import KeychainSyncDriver
import Secrets

/// Accounts with several devices each, which take turns at the relay.
struct Fleet: Sendable {
    let scene: Scene
    /// The devices of each account; the first one founds its circle.
    let accounts: [[ScaleDevice]]

    /// Distributes devices among accounts.
    init(_ scene: Scene, deviceCount: Int, accountCount: Int) throws {
        self.scene = scene
        var accounts = [[ScaleDevice]](repeating: [], count: accountCount)
        for number in 0..<deviceCount {
            let account = number % accountCount
            accounts[account].append(try ScaleDevice("device-\(number / accountCount)"))
        }
        self.accounts = accounts
    }

    private init(_ scene: Scene, _ accounts: [[ScaleDevice]]) {
        self.scene = scene
        self.accounts = accounts
    }

    /// Returns a fleet of the first accounts.
    func first(_ count: Int) -> Fleet { Fleet(scene, Array(accounts.prefix(count))) }

    /// The first devices of all accounts, then the second ones, and so on.
    var devices: [ScaleDevice] {
        let most = accounts.map(\.count).max() ?? 0
        return (0..<most).flatMap { number in
            accounts.compactMap { number < $0.count ? $0[number] : nil }
        }
    }

    /// Lets each device make a pass.
    func pass(_ book: TraceBook) throws {
        try scene.turns.run(devices) { device in
            try scene.turn(of: device, book) { try $0.pass(through: $1) }
        }
    }

    /// Lets the devices make passes until none has changes to send.
    func settle(_ book: TraceBook) throws {
        while true {
            let before = book.content
            try pass(book)
            let after = book.content
            if before.sentCount + before.receivedCount == after.sentCount + after.receivedCount {
                return
            }
        }
    }
}

// The phases.
extension Fleet {
    /// Lets the first devices found their circles, and the others ask to join.
    func ask(_ book: TraceBook) throws {
        try scene.turns.run(accounts) { devices in
            guard let founder = devices.first else { return }
            let paper = RecoveryKey(try SystemRandomSource().secret(RecoveryKey.seedByteCount))
            let code = try founder.sync.create(
                deviceName: founder.name,
                relayName: "scale",
                recovery: paper.signer().keys
            )
            try scene.turn(of: founder, book) { try $0.pass(through: $1) }
            for device in devices.dropFirst() {
                device.fingerprint = try device.sync.requestToJoin(
                    code,
                    deviceName: device.name,
                    relayName: "scale"
                )
                try scene.turn(of: device, book) { try $0.pass(through: $1) }
            }
        }
    }

    /// Lets the founders approve the others, one after the other.
    func approve(_ book: TraceBook) throws {
        try scene.turns.run(accounts) { devices in
            for fingerprint in devices.compactMap(\.fingerprint) {
                try scene.turn(of: devices[0], book) { device, relay in
                    _ = try device.approve(fingerprint, through: relay)
                    return SyncReport()
                }
            }
        }
    }

    /// Lets each device change its first items, send the changes, and receive those of others.
    func change(_ count: Int, round: Int, _ book: TraceBook) throws {
        try scene.turns.run(devices) { try $0.change(count, round: round) }
        try pass(book)
        try pass(book)
    }

    /// Makes changes until each device wrote a checkpoint and the relay removed the entries before
    /// it.
    ///
    /// - Returns: The number of rounds that this took.
    func changeUntilTrimmed(
        _ count: Int,
        from firstRound: Int,
        _ book: TraceBook
    ) throws -> Int {
        let wanted = devices.count
        for round in 1...200 {
            try scene.turns.run(devices) { try $0.change(count, round: firstRound + round) }
            try pass(book)
            if book.content.trace.spread(.trim).count >= wanted { return round }
        }
        throw ScaleFailure("no checkpoint after 200 rounds")
    }

    // MARK: - What has to hold

    /// An item that each device added, and its expected version.
    struct Version: Sendable {
        let number: Int
        /// The round of its last change; 0 if there was none.
        let round: Int
    }

    /// Checks that each device is a member and has all items of its account; it reads and compares
    /// some.
    func verify(itemCount: Int, versions: [Version]) throws {
        try scene.turns.run(accounts) { devices in
            for device in devices {
                let found = try device.itemCount()
                guard found == itemCount * devices.count else {
                    throw ScaleFailure(
                        "\(device.name) has \(found) items of \(itemCount * devices.count)"
                    )
                }
                for other in devices {
                    for version in versions {
                        guard try device.has(version.number, of: other.name, round: version.round)
                        else {
                            throw ScaleFailure("\(device.name) lacks item \(version.number)")
                        }
                    }
                }
            }
        }
    }

    /// Returns the relay's names of these accounts.
    func names() throws -> [AccountName] {
        try accounts.compactMap { try $0.first?.sync.membership()?.account }
    }
}
