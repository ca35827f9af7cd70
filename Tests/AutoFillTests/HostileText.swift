/// Texts that are nearly addresses of pages, the same ones at every run.
enum HostileText {
    private static let pieces = [
        "https://", "http://", "://", "/", "@", ":", ".", "#", "?", "[", "]", "\\", "%2e", "xn--",
        "example", "com", "co.uk", "é", "а", "。", "\u{200D}", "0", "443", "::1", "127.0.0.1", "*.",
        "webcredentials:", "?mode=developer", "-", "_", "\u{0}", " ", "ß", "\u{202E}", "bücher",
    ]

    static let all: [String] = {
        var state: UInt64 = 0x5EED
        return (0..<4000).map { _ in
            var text = ""
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                text += pieces[Int(state >> 33) % pieces.count]
            }
            return text
        }
    }()

    /// The texts that some reader accepts, and then reads as something else than it returned.
    static func misread(_ isStable: (String) -> Bool) -> [String] { all.filter { !isStable($0) } }
}
