import KeychainModel

/// The open class keys: one slot per class, wiped by assigning `nil`.
struct ClassKeyring: ~Copyable, Sendable {
    private var slots: InlineArray<7, ClassKey?> = InlineArray { _ in nil }

    /// Puts a key into its slot, and wipes the previous one.
    mutating func open(_ protectionClass: ProtectionClass, with key: consuming ClassKey) {
        slots[Self.index(of: protectionClass)] = consume key
    }

    /// Wipes a class's key.
    mutating func evict(_ protectionClass: ProtectionClass) {
        slots[Self.index(of: protectionClass)] = nil
    }

    /// Moves a class's key out.
    mutating func take(_ protectionClass: ProtectionClass) -> ClassKey? {
        slots[Self.index(of: protectionClass)].take()
    }

    /// Moves in all open keys of another ring; other slots stay as they are.
    mutating func merge(_ other: consuming ClassKeyring) {
        for protectionClass in ProtectionClass.allCases {
            if let key = other.take(protectionClass) { open(protectionClass, with: key) }
        }
    }

    /// Whether the class's key is in memory.
    func isOpen(_ protectionClass: ProtectionClass) -> Bool {
        slots[Self.index(of: protectionClass)] != nil
    }

    /// Lends a class's key; returns `nil` without calling `body` if it is not in memory.
    borrowing func withKey<R: ~Copyable, E>(
        _ protectionClass: ProtectionClass,
        _ body: (borrowing ClassKey) throws(E) -> R
    ) throws(E) -> R? {
        switch slots[Self.index(of: protectionClass)] {
        case .some(let key): return try body(key)
        case .none: return nil
        }
    }

    /// Returns the index of a class; class numbers are consecutive from 6.
    private static func index(of protectionClass: ProtectionClass) -> Int {
        Int(protectionClass.rawValue - ProtectionClass.whenUnlocked.rawValue)
    }
}
