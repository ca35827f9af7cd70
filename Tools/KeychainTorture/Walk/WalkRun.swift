import KeychainModel
import KeychainSimulator

/// Random walks of a simulated device and of the reference keychain.
struct WalkRun {
    private static let length = 400

    let seed: UInt64
    let report: TortureReport

    func run() throws(KeychainError) {
        let walk = RandomWalk(seed: seed, length: Self.length)
        let difference: RandomWalk.Difference?
        do { difference = try walk.run() } catch {
            throw KeychainError(.internal, "no device can be made: \(error)")
        }
        report.add("walks")
        report.add("steps", Self.length)
        guard let difference else { return }
        report.found("device and reference differ:\n\(difference)", repeatWith: "--seed \(seed)")
    }
}
