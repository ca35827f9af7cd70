import KeychainSimulator
import TestSupport
import Testing
import Vault
import VaultTesting

@Suite(.device(app: .twoGroups)) struct `A query` {
    let vault = Vault()
    let everywhere = Password(service: "api", account: "b", protection: .synced())
    let here = Password(service: "api", account: "a", label: "A", comment: "c")

    init() throws {
        try vault.save("1", in: here)
        try vault.save("2", in: everywhere)
        try vault.save("3", in: Password(service: "other", account: "a"))
        try Vault(accessGroup: sharedGroup).save("4", in: Password(service: "api", account: "c"))
    }

    private func accounts(_ query: Query<Password>, in vault: Vault) throws -> [String] {
        try vault.list(query).map { "\($0.item.service)/\($0.item.account)" }.sorted()
    }

    @Test func `finds the passwords of a service, an account, or all`() throws {
        #expect(try accounts(.passwords(service: "api"), in: vault) == ["api/a", "api/b", "api/c"])
        #expect(try accounts(.passwords(account: "a"), in: vault) == ["api/a", "other/a"])
        #expect(try accounts(.passwords(), in: vault).count == 4)
        #expect(try accounts(.passwords(service: "none"), in: vault).isEmpty)
    }

    @Test func `tells local and synchronized items apart`() throws {
        #expect(try accounts(.passwords().synced(.only), in: vault) == ["api/b"])
        let local = try accounts(.passwords(service: "api").synced(.never), in: vault)
        #expect(local == ["api/a", "api/c"])
    }

    @Test func `stays inside the group of the vault`() throws {
        let shared = Vault(accessGroup: sharedGroup)
        #expect(try accounts(.passwords(), in: shared) == ["api/c"])
        let foreign = failure { _ = try Vault(accessGroup: "X.y").list(.passwords()) }
        #expect(foreign?.reason == .notEntitled)
    }

    @Test func `leaves out what transactions and rotations keep for themselves`() throws {
        _ = try vault.rotate(here, to: "new")
        #expect(try accounts(.passwords(), in: vault).count == 4)
        #expect(try vault.list(.passwords(service: "Vault.rotation")).count == 1)
    }

    @Test func `returns descriptions that read the same items`() throws {
        let found = try vault.list(.passwords(service: "api", account: "a"))
        #expect(found.map(\.item) == [here])
        #expect(found.first?.accessGroup == ownGroup)
        #expect(found.first?.created != nil)
        let texts = try vault.list(.passwords(service: "api")).map { try vault.text($0.item) }
        #expect(Set(texts) == ["1", "2", "4"])
    }

    @Test func `finds logins with everything that identifies them`() throws {
        let logins = [
            WebLogin(server: "example.com", account: "ada", label: "L", comment: "C"),
            WebLogin(server: "example.com", account: "ada", scheme: .imaps, method: .standard),
            WebLogin(server: "other.example", account: "ada", path: "/x", realm: "r"),
        ]
        try vault.saveAll(logins, "s")
        #expect(try vault.list(.webLogins(server: "example.com")).count == 2)
        let found = try vault.list(.webLogins(account: "ada")).map(\.item)
        #expect(Set(found.map(\.address)) == Set(logins.map(\.address)))
        #expect(try found.map { try vault.text($0) } == ["s", "s", "s"])
    }

    @Test func `works while the items are locked where their names are readable`() throws {
        let phone = try TestDevice.current
        phone.device.lock()
        #expect(try accounts(.passwords(service: "other"), in: vault) == ["other/a"])
    }
}
