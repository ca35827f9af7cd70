/// One thing that happens in a simulation; it follows from the seed and the step's number alone,
/// so that others can be left out.
struct Step: CustomStringConvertible {
    enum Kind: String {
        case edit, delete, lose, pass
        case goOffline, goOnline, stayAway, withhold, show
        case setClock, join, remove, removeEachOther, removeByRecovery, changeRecovery, destroy
    }

    /// How often each happens, in a hundred thousand steps.
    private static let weights: [(Kind, Int)] = [
        (.edit, 27_000), (.delete, 5_000), (.lose, 2_000), (.pass, 49_140),
        (.goOffline, 3_000), (.goOnline, 5_000), (.stayAway, 60), (.withhold, 2_500),
        (.show, 3_500), (.setClock, 1_500), (.join, 700), (.remove, 300),
        (.removeEachOther, 80), (.removeByRecovery, 60), (.changeRecovery, 60), (.destroy, 100),
    ]

    let number: Int
    let kind: Kind
    /// Whose turn it is, before it is brought into the count of devices.
    let device: Int
    /// What the rest follows from.
    let dice: Dice

    init(_ number: Int, of seed: UInt64) {
        var dice = Dice(Dice.mixed(seed) ^ UInt64(number) &* 0xd134_2543_de82_ef95)
        var rest = dice.below(100_000)
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
