import EngineTestSupport
import KeychainModel
import ModelTestSupport
import Testing

@testable import KeychainEngine

@Suite struct `A store with a limit of its size` {
    private static let value = String(repeating: "v", count: 3000)

    private static func item(_ number: Int) -> AttributeDictionary {
        var item: AttributeDictionary = [
            .itemClass: .string(ItemClass.genericPassword.rawValue)
        ]
        item[.service] = .string("service")
        item[.account] = .string("\(number)")
        return item
    }

    /// Items until one is refused, which is the last number.
    private static func fill(_ fixture: EngineFixture) -> (count: Int, SecurityStatus) {
        let statuses = (0..<1000).lazy.map { fixture.keychain.add(item($0), value) }
        let refused = statuses.enumerated().first { $0.element != .success }
        return (refused?.offset ?? 1000, refused?.element ?? .success)
    }

    @Test func `refuses a write that needs more, and keeps every item`() throws {
        let fixture = try EngineFixture(byteLimit: 1 << 20)
        try fixture.unlock()
        let (count, status) = Self.fill(fixture)
        #expect(status == .diskFull)
        #expect((100..<400).contains(count), "\(count)")
        #expect(fixture.keychain.read(Self.item(count)).status == .itemNotFound)
        #expect(fixture.keychain.read(Self.item(0)).status == .success)
    }

    @Test func `takes items again after others were deleted`() throws {
        let fixture = try EngineFixture(byteLimit: 1 << 20)
        try fixture.unlock()
        let (count, _) = Self.fill(fixture)
        #expect(fixture.keychain.delete(Self.item(0)) == .success)
        #expect(fixture.keychain.delete(Self.item(1)) == .success)
        #expect(fixture.keychain.add(Self.item(count), Self.value) == .success)
    }

    @Test func `says that it, and not the disk, is full`() throws {
        let fixture = try EngineFixture(byteLimit: 1 << 20)
        try fixture.unlock()
        let (count, _) = Self.fill(fixture)
        var more = Self.item(count)
        more[.valueData] = .secret(EngineFixture.secret(Self.value))
        let error = #expect(throws: KeychainError.self) {
            try fixture.keychain.endpoint.send(.add(more))
        }
        #expect(error?.reason.contains("1 MiB that it may have; delete items") == true)
    }
}
