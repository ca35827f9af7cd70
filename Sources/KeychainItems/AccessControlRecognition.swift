import Foundation

#if canImport(Darwin)
    import Security
#else
    import KeychainServices
#endif

extension SecAccessControl {
    /// Creates the object for a combination; nil if it breaks a rule.
    static func make(_ control: ItemAccessControl) -> SecAccessControl? {
        SecAccessControlCreateWithFlags(
            kCFAllocatorDefault,
            control.accessibility.rawValue as CFString,
            SecAccessControlCreateFlags(rawValue: numericCast(control.flags)),
            nil
        )
    }
}

extension ItemAccessControl {
    /// Determines the combination of an access control object.
    ///
    /// The public interface creates and compares such objects, but does not read them. Therefore
    /// every combination of the documented flags is created and compared; nil if none is equal.
    init?(recognizing object: AnyObject, near accessibility: ItemAccessibility?) {
        let candidates = accessibility.map { [$0] } ?? Self.accessibilities
        for accessibility in candidates {
            for flags in Self.combinations {
                let candidate = ItemAccessControl(accessibility: accessibility, flags: flags)
                guard let made = SecAccessControl.make(candidate) else { continue }
                if CFEqual(made, object) {
                    self = candidate
                    return
                }
            }
        }
        return nil
    }

    private static let accessibilities = ["ak", "aku", "akpu", "ck", "cku", "dk", "dku"]
        .map(ItemAccessibility.init(rawValue:))

    /// User presence, any biometry, current set, passcode, watch; or, and; key usage, password.
    private static let bits: [UInt] = [
        1 << 0, 1 << 1, 1 << 3, 1 << 4, 1 << 5, 1 << 14, 1 << 15, 1 << 30, 1 << 31,
    ]

    /// Every subset of the flags, fewest bits first.
    private static let combinations: [UInt] = (0..<(1 << bits.count))
        .map { subset in
            bits.indices.reduce(0) { $0 | (subset & (1 << $1) == 0 ? 0 : bits[$1]) }
        }
        .sorted { ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1) }
}
