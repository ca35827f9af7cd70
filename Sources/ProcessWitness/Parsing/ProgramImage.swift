/// The memory addresses of a program, which differ after every `exec`.
///
/// - Source: proc(5), `/proc/PID/stat`, fields 26, 27, 28 and 47.
enum ProgramImage {
    /// Returns a number that represents the addresses; 0 if the file does not contain them.
    static func number(_ bytes: [UInt8]) -> UInt64 {
        // The program's name is in parentheses, and may contain parentheses and spaces.
        guard let close = bytes.lastIndex(of: UInt8(ascii: ")")) else { return 0 }
        let words = bytes[(close + 1)...].split { $0 == UInt8(ascii: " ") || $0 == 10 }
        // The first word after the name is field 3.
        let places = [26, 27, 28, 47].map { field -> UInt64? in
            let index = field - 3
            guard words.indices.contains(index) else { return nil }
            return UInt64(String(decoding: words[index], as: UTF8.self))
        }
        let known = places.compactMap(\.self)
        // Without permission, the kernel writes 1, 1 and 0.
        guard known.count == places.count, known[0] > 1, known[2] > 0 else { return 0 }
        let mixed = known.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { sum, place in
            (sum ^ place) &* 0x100_0000_01B3 ^ (sum >> 29)
        }
        return Swift.max(mixed, 1)
    }
}
