import KeychainModel
import ModelTestSupport
import TestSupport
import Testing

@Suite struct `The constraint of an access control` {
    private static let presence = Constraint.any([.factor(.biometry), .factor(.passcode)])

    private static let rows: [(AccessControl.Flags, Constraint?)] = [
        ([], nil),
        (.privateKeyUsage, nil),
        (.or, nil),
        (.userPresence, presence),
        ([.userPresence, .privateKeyUsage], presence),
        (.biometryAny, .factor(.biometry)),
        ([.biometryCurrentSet, .and], .factor(.currentBiometry)),
        (.devicePasscode, .factor(.passcode)),
        (.companion, .factor(.companion)),
        (.applicationPassword, .factor(.applicationPassword)),
        ([.biometryAny, .or, .devicePasscode], presence),
        (
            [.biometryAny, .and, .devicePasscode],
            .all([.factor(.biometry), .factor(.passcode)])
        ),
        ([.biometryAny, .devicePasscode], .all([.factor(.biometry), .factor(.passcode)])),
        ([.biometryAny, .or, .companion], .any([.factor(.biometry), .factor(.companion)])),
        (
            [.userPresence, .applicationPassword],
            .all([presence, .factor(.applicationPassword)])
        ),
        (
            [.biometryAny, .or, .devicePasscode, .applicationPassword],
            .all([presence, .factor(.applicationPassword)])
        ),
    ]

    @Test(arguments: rows)
    func `follows from its flags`(flags: AccessControl.Flags, expected: Constraint?) {
        let control = AccessControl(protection: .whenUnlocked, flags: flags)
        #expect(control.constraint == expected)
    }

    @Test(arguments: rows)
    func `has the factors that its flags name`(
        flags: AccessControl.Flags,
        constraint: Constraint?
    ) {
        let factors = constraint?.factors ?? []
        #expect(factors.contains(.applicationPassword) == flags.contains(.applicationPassword))
        #expect(factors.contains(.currentBiometry) == flags.contains(.biometryCurrentSet))
        #expect(factors.isDisjoint(with: [.passcode, .biometry]) || flags.demandsPerson)
    }

    @Test func `needs an enrolment only where biometry is named`() {
        let needing = Self.rows.map(\.0).filter {
            AccessControl(protection: .always, flags: $0).needsEnrolment
        }
        #expect(needing.count == 7)
        #expect(needing.allSatisfy { !$0.isDisjoint(with: [.biometryAny, .biometryCurrentSet]) })
    }
}

@Suite struct `An access control and the system's version` {
    @Test(.requirement("ACC-37"), arguments: [7, 8, 9, 17, 18])
    func `go together from the version on that brought each flag`(version: Int) {
        let flags: [(AccessControl.Flags, Int)] = [
            (.userPresence, 8), (.devicePasscode, 9), (.companion, 18),
        ]
        let accepted = flags.filter { row in
            let made = try? AccessControl.validate(
                flags: row.0,
                protection: .whenUnlocked,
                on: .iOS(version),
                missingOperatorIsAnd: false
            )
            return made != nil
        }
        #expect(accepted.map(\.1) == flags.map(\.1).filter { $0 <= version })
    }

    @Test(.requirement("ACC-37")) func `are refused with a reason of their own`() {
        #expect(throws: AccessControlError.laterSystem) {
            try AccessControl.validate(
                flags: [],
                protection: .whenPasscodeSetThisDeviceOnly,
                on: .iOS(7),
                missingOperatorIsAnd: false
            )
        }
    }
}
