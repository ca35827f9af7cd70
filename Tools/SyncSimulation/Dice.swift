import KeychainSync

/// Numbers that follow from a seed (SplitMix64).
struct Dice {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mixed(state)
    }

    /// Returns a number below the limit.
    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(max(limit, 1))) }

    /// Returns whether an event with this probability in a thousand happens.
    mutating func happens(inThousand count: Int) -> Bool { below(1000) < count }

    static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns a name of the right size; other numbers give another name.
    static func name<Name: SyncName>(_ numbers: UInt64...) -> Name {
        let seed = numbers.reduce(0) { mixed($0 ^ $1) &+ 0x9e37_79b9_7f4a_7c15 }
        var dice = Dice(seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Name.byteCount)
        for _ in 0..<Name.byteCount / 8 {
            let word = dice.next()
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt64(shift)))
            }
        }
        return Name(unchecked: bytes)
    }
}
