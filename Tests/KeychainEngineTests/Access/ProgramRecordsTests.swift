import KeychainModel
import TestSupport
import Testing

@testable import KeychainEngine

@Suite struct `The records of programs` {
    private func record(_ number: Int, name: Int = 3) -> ProgramRecords.Record {
        let digest = { (kind: UInt8) in
            [kind, UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number)]
                + [UInt8](repeating: 0, count: 13)
        }
        return ProgramRecords.Record(
            path: digest(1),
            file: digest(2),
            group: digest(3),
            name: [UInt8](repeating: 9, count: name)
        )
    }

    @Test func `come back as they were written`() {
        var records = ProgramRecords()
        for (number, length) in [(1, 0), (2, 300), (3, 1024)] {
            let isNew = records.remember(record(number, name: length))
            #expect(isNew)
        }
        #expect(ProgramRecords(records.bytes) == records)
        let isNewAgain = records.remember(record(2, name: 300))
        #expect(!isNewAgain)
    }

    @Test func `take no name that is too long`() {
        var records = ProgramRecords()
        let isKept = records.remember(record(1, name: 1025))
        #expect(!isKept)
        #expect(records.records.isEmpty)
    }

    @Test func `forget the ones used first when there are too many`() {
        var records = ProgramRecords()
        for number in 0..<ProgramRecords.limit + 2 { _ = records.remember(record(number)) }
        #expect(records.records.count == ProgramRecords.limit)
        #expect(records.records.first == record(2))
        #expect(ProgramRecords(records.bytes) == records)
    }

    @Test(arguments: 0..<58)
    func `are refused when they are cut`(count: Int) {
        var records = ProgramRecords()
        _ = records.remember(record(1))
        let isWhole = [5, 58].contains(count)
        #expect((ProgramRecords(Array(records.bytes.prefix(count))) != nil) == isWhole)
    }

    @Test func `are refused with a length that lies, and with too many`() {
        var records = ProgramRecords()
        _ = records.remember(record(1))
        var bytes = records.bytes
        bytes[5 + 48] = 0xFF
        #expect(ProgramRecords(bytes) == nil)
        let header = Array(bytes.prefix(5))
        let one = Array(records.bytes.dropFirst(5))
        let many = Array(repeatElement(one, count: ProgramRecords.limit + 1).joined())
        #expect(ProgramRecords(header + many) == nil)
    }
}
