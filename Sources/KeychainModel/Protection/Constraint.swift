// ★ Table: the constraints of the flags of an access control.

/// A thing to prove: by a person, by a device nearby, or by a program.
///
/// Raw values are the numbers of the gate format.
/// - Source: Documentation/Spec/item.md §9; requirements SAC-05 to SAC-16.
package enum Factor: UInt8, CaseIterable, Sendable, Hashable {
    /// The device's passcode.
    case passcode = 1
    /// Any enrolled face or finger.
    case biometry = 2
    /// A face or finger of the set that was enrolled when the item was created.
    case currentBiometry = 3
    /// A paired device nearby.
    case companion = 4
    /// A password that the program, not the device, keeps.
    case applicationPassword = 5

    /// Whether a face or finger proves it.
    package var isBiometric: Bool { self == .biometry || self == .currentBiometry }
}

/// The proofs that opening an item requires: an expression over factors.
package indirect enum Constraint: Sendable, Hashable {
    case factor(Factor)
    /// One of them suffices; earlier ones are preferred.
    case any([Constraint])
    /// All of them are required, and prompted for in this order.
    case all([Constraint])

    /// Every factor in the constraint.
    package var factors: Set<Factor> {
        switch self {
        case .factor(let factor): [factor]
        case .any(let parts), .all(let parts):
            parts.reduce(into: Set()) { $0.formUnion($1.factors) }
        }
    }
}

extension AccessControl {
    private static let rows: [(flag: Flags, demands: Constraint)] = [
        (.userPresence, .any([.factor(.biometry), .factor(.passcode)])),
        (.biometryAny, .factor(.biometry)),
        (.biometryCurrentSet, .factor(.currentBiometry)),
        (.companion, .factor(.companion)),
        (.devicePasscode, .factor(.passcode)),
    ]

    /// The required proofs; nil if there are none.
    ///
    /// If the profile allows several flags without an operator, all are required. The application
    /// password is a layer around the rest (SAC-14).
    package var constraint: Constraint? {
        let demands = Self.rows.filter { flags.contains($0.flag) }.map(\.demands)
        var layers: [Constraint] =
            switch demands.count {
            case 0: []
            case 1: demands
            default: [flags.contains(.or) ? .any(demands) : .all(demands)]
            }
        if flags.contains(.applicationPassword) { layers.append(.factor(.applicationPassword)) }
        return layers.count > 1 ? .all(layers) : layers.first
    }

    /// Whether creating the item requires an enrolled face or finger (SAC-07, SAC-27).
    package var needsEnrolment: Bool {
        !flags.isDisjoint(with: [.biometryAny, .biometryCurrentSet])
    }
}
