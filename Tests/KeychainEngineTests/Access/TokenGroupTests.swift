import EngineTestSupport
import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The tokens' group` {
    private let authorizer: Authorizer
    private let profiles: Profiles

    init() throws {
        let entitlements = Entitlements(
            keychainAccessGroups: ["TEAM.app", Entitlements.tokenGroup]
        )
        let caller = Caller(entitlements: entitlements, system: .host)
        authorizer = try Authorizer(caller, on: .host)
        profiles = try EngineFixture().engine.profiles
    }

    private func query(_ group: String?) -> AttributeDictionary {
        password("ada", group.map { [.accessGroup: .string($0)] } ?? [:])
    }

    private func update(_ group: String?) throws -> GroupScope {
        var parser = QueryParser(.update, profiles: profiles)
        let query = try parser.update(query(group), with: [.label: .string("Mail")])
        return try authorizer.authorize(query).scope
    }

    private func delete(_ group: String?) throws -> GroupScope {
        var parser = QueryParser(.delete, profiles: profiles)
        return try authorizer.authorize(try parser.delete(query(group))).scope
    }

    @Test(.requirement("GRP-09"))
    func `is read, but not written, by who is entitled to it`() throws {
        let named = Entitlements.tokenGroup
        var reading = QueryParser(.copyMatching, profiles: profiles)
        let found = try authorizer.authorize(try reading.select(query(named)))
        #expect(found.scope == .groups([named]))
        var adding = QueryParser(.add, profiles: profiles)
        let item = try adding.add(query(named))
        #expect(throws: KeychainError(.missingEntitlement, "")) {
            _ = try authorizer.authorize(item)
        }
        #expect(throws: KeychainError(.missingEntitlement, "")) { _ = try update(named) }
        #expect(throws: KeychainError(.missingEntitlement, "")) { _ = try delete(named) }
    }

    @Test(.requirement("GRP-09"))
    func `is left out where a program changes all that it may`() throws {
        #expect(try update(nil) == .groups(["TEAM.app"]))
        #expect(try delete(nil) == .groups(["TEAM.app"]))
    }
}
