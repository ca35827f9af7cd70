// Three sets of flags, each with an operator between its constraints.
let fingerOrCode: SecAccessControlCreateFlags = [.devicePasscode, .or, .biometryAny]

let fingerAndCode: SecAccessControlCreateFlags = [.devicePasscode, .and, .biometryCurrentSet]

// The user's own password encrypts the item besides.
let withPassword: SecAccessControlCreateFlags = [
    .applicationPassword, .devicePasscode, .or, .biometryCurrentSet,
]
