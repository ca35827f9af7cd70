import GameplayKit

func makeSessionToken(seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }  // expect
}

func makeCode() -> Int {
    let source = GKMersenneTwisterRandomSource()
    let otp = source.nextInt(upperBound: 1_000_000)  // expect
    return otp
}
