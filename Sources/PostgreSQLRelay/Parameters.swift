/// The parameters of a statement, in the binary form of their types.
struct Parameters {
    private(set) var types: [UInt32] = []
    private(set) var lengths: [Int32] = []
    private(set) var starts: [Int] = []
    /// The bytes of all parameters; never empty, so that each parameter has an address.
    private(set) var bytes: [UInt8] = [0]

    private mutating func begin(_ type: UInt32) {
        types.append(type)
        starts.append(bytes.count)
    }

    private mutating func end() { lengths.append(Int32(bytes.count - (starts.last ?? 0))) }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    /// Adds a `bytea`.
    mutating func add(_ value: [UInt8]) {
        begin(17)
        bytes += value
        end()
    }

    /// Adds a `bigint`.
    mutating func add(_ value: Int64) {
        begin(20)
        append(value)
        end()
    }

    /// Adds a `text`.
    mutating func add(_ value: String) {
        begin(25)
        bytes += value.utf8
        end()
    }

    /// Adds a `bytea[]`.
    mutating func add(_ values: [[UInt8]]) {
        begin(1001, of: 17, count: values.count)
        for value in values {
            append(Int32(value.count))
            bytes += value
        }
        end()
    }

    /// Adds a `bigint[]`.
    mutating func add(_ values: [Int64]) {
        begin(1016, of: 20, count: values.count)
        for value in values {
            append(Int32(8))
            append(value)
        }
        end()
    }

    /// Begins an array of one dimension that starts at 1, without nulls.
    private mutating func begin(_ type: UInt32, of element: UInt32, count: Int) {
        begin(type)
        append(Int32(1))
        append(Int32(0))
        append(element)
        append(Int32(count))
        append(Int32(1))
    }
}
