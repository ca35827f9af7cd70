/// One event of a simulation.
///
/// It depends only on the seed and the step's number, so other steps can be left out.
struct Step: CustomStringConvertible {
    enum Kind: String {
        case edit, editLater, delete, lose, pass, kill
        case goOffline, goOnline, hide, show, backUp, putBack
        case join, promote, leave, steal, changePaper
        case hostileLink, hostileEncoding, garbage
    }

    /// The frequency of each kind in ten thousand steps.
    private static let weights: [(Kind, Int)] = [
        (.edit, 2_160), (.editLater, 40), (.delete, 400), (.lose, 150), (.pass, 3_500),
        (.kill, 300),
        (.goOffline, 300), (.goOnline, 600), (.hide, 250), (.show, 400), (.backUp, 100),
        (.putBack, 60), (.join, 250), (.promote, 250), (.leave, 40), (.steal, 150),
        (.changePaper, 50), (.hostileLink, 770), (.hostileEncoding, 130), (.garbage, 100),
    ]

    let number: Int
    let kind: Kind
    /// A number that chooses the device: its remainder modulo the number of devices is the index.
    let device: Int
    /// The source of the random numbers for the rest of the step.
    let dice: Dice

    init(_ number: Int, of seed: UInt64) {
        var dice = Dice(Dice.mixed(seed) ^ UInt64(number) &* 0xd134_2543_de82_ef95)
        var rest = dice.below(10_000)
        var kind = Kind.pass
        for (candidate, weight) in Self.weights {
            if rest < weight {
                kind = candidate
                break
            }
            rest -= weight
        }
        self.number = number
        self.kind = kind
        device = dice.below(1 << 30)
        self.dice = dice
    }

    var description: String { "\(number) \(kind.rawValue)" }
}
