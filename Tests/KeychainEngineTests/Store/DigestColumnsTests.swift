import Testing

@testable import KeychainEngine

@Suite struct `Digest columns` {
    private static let digest = [UInt8](repeating: 7, count: 16)

    @Test func `stand one after the other with their sizes, unset ones as a zero`() {
        let columns: DigestColumns = [nil, Self.digest, nil]
        #expect(columns.encoded == [0, 16] + Self.digest + [0])
        #expect(Array(columns) == [nil, Self.digest, nil])
    }

    @Test func `are replaced one by one`() {
        var columns: DigestColumns = [Self.digest, nil, [1, 2]]
        columns[1] = [9]
        columns[0] = nil
        #expect(Array(columns) == [nil, [9], [1, 2]])
        columns.swapAt(0, 2)
        #expect(Array(columns) == [[1, 2], [9], nil])
    }

    @Test func `are cut where no digest would end`() throws {
        let columns: DigestColumns = [Array(repeating: 1, count: 300)]
        #expect(try #require(columns[0]).count == 255)
    }
}
