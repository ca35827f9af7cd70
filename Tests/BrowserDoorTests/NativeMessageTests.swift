import Secrets
import Testing

@testable import BrowserDoor

@Suite struct `Native messages` {
    private static func header(_ count: UInt32) -> [UInt8] {
        withUnsafeBytes(of: count) { Array($0) }
    }

    /// A whole message of zeros.
    private static func message(_ count: Int) -> [UInt8] {
        header(UInt32(count)) + [UInt8](repeating: 0, count: count)
    }

    @Test func `begin with their length in the byte order of the machine`() throws {
        let framed = try NativeMessage.framed(Secret(copying: [7, 8, 9]))
        #expect(framed.secret.copyBytesUnprotected() == Self.header(3) + [7, 8, 9])
    }

    @Test func `are found in whatever pieces they arrive`() throws {
        var reader = NativeMessageReader()
        var found: [[UInt8]] = []
        for byte in Self.header(2) + [1, 2] + Self.header(0) + Self.header(1) + [3] {
            reader.append([byte])
            while let message = try reader.next() { found.append(message) }
        }
        #expect(found == [[1, 2], [], [3]])
        try reader.finish()
    }

    @Test(arguments: [0, 1, NativeMessage.incomingLimit])
    func `are taken up to the limit`(count: Int) throws {
        var reader = NativeMessageReader()
        reader.append(Self.message(count))
        #expect(try reader.next()?.count == count)
    }

    @Test(arguments: [UInt32(NativeMessage.incomingLimit) + 1, 1 << 31, .max])
    func `are refused beyond it before they arrive`(count: UInt32) {
        var reader = NativeMessageReader()
        reader.append(Self.header(count))
        #expect(throws: NativeMessageError.tooLong(Int(count))) { _ = try reader.next() }
        #expect(throws: NativeMessageError.tooLong(Int(count))) { _ = try reader.next() }
    }

    @Test(arguments: [[1], [4, 0, 0, 0], header(2) + [1]])
    func `are not whole if the input ends inside one`(bytes: [UInt8]) throws {
        var reader = NativeMessageReader()
        reader.append(bytes)
        #expect(try reader.next() == nil)
        #expect(throws: NativeMessageError.cut) { try reader.finish() }
    }

    @Test func `have at most the megabyte that browsers take`() throws {
        let limit = NativeMessage.outgoingLimit
        let longest = try NativeMessage.framed(Secret(byteCount: limit) { _ in })
        #expect(longest.secret.byteCount == limit + 4)
        #expect(throws: NativeMessageError.tooLong(limit + 1)) {
            _ = try NativeMessage.framed(Secret(byteCount: limit + 1) { _ in })
        }
    }
}
