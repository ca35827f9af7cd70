import KeychainSync

extension LinkFault {
    /// The fault as a word, for JSON.
    var code: String {
        switch self {
        case .predecessorUnknown: "predecessorUnknown"
        case .predecessorIgnored: "predecessorIgnored"
        case .wrongNumber: "wrongNumber"
        case .otherFounding: "otherFounding"
        case .noSuchSigner: "noSuchSigner"
        case .wrongSignature: "wrongSignature"
        case .wrongKey: "wrongKey"
        case .empty: "empty"
        case .addedAgain: "addedAgain"
        case .removesStranger: "removesStranger"
        case .removesSigner: "removesSigner"
        case .removesSenior: "removesSenior"
        case .cannotPromote: "cannotPromote"
        case .sameRecovery: "sameRecovery"
        case .recoveryByJunior: "recoveryByJunior"
        case .recoveryKeyOfDevice: "recoveryKeyOfDevice"
        case .tooManyKeepers: "tooManyKeepers"
        case .tooManyMembers: "tooManyMembers"
        case .leavesNobody: "leavesNobody"
        case .keyMissing: "keyMissing"
        case .keyNeedless: "keyNeedless"
        case .overruled: "overruled"
        }
    }

    /// The fault in a few words.
    var words: String {
        switch self {
        case .predecessorUnknown: "the relay does not show the link before it"
        case .predecessorIgnored: "the link before it does not count"
        case .wrongNumber: "its number does not follow"
        case .otherFounding: "it founds another circle"
        case .noSuchSigner: "its signer was no keeper"
        case .wrongSignature: "a signature is wrong"
        case .wrongKey: "a public key in it is no point of P-256"
        case .empty: "it changes nothing"
        case .addedAgain: "it adds a device that is or was in the circle"
        case .removesStranger: "it removes a device that is not in the circle"
        case .removesSigner: "it removes its own signer"
        case .removesSenior: "it removes a keeper that is earlier than those who signed"
        case .cannotPromote: "it promotes a device that is no member, or a keeper already"
        case .sameRecovery: "it replaces the recovery key by the same one"
        case .recoveryByJunior:
            "it changes the recovery key, and neither that key nor the first keeper signed it"
        case .recoveryKeyOfDevice: "its recovery key has a public key of a device"
        case .tooManyKeepers: "a circle has at most \(CircleState.keeperCountLimit) keepers"
        case .tooManyMembers: "a circle has at most \(CircleState.memberCountLimit) devices"
        case .leavesNobody: "it leaves neither a keeper nor a recovery key"
        case .keyMissing: "it takes something away and has no new key"
        case .keyNeedless: "it takes nothing away and has a new key"
        case .overruled(.some): "an earlier keeper or the recovery key signed another branch"
        case .overruled(nil): "another branch by the same keepers was chosen"
        }
    }
}

extension EntryFault {
    /// The fault as a word, for JSON.
    var code: String {
        switch self {
        case .unknownLink: "unknownLink"
        case .linkNotChosen: "linkNotChosen"
        case .keyMissing: "keyMissing"
        case .aheadOfClock: "aheadOfClock"
        case .incomplete: "incomplete"
        case .wrongSignature: "wrongSignature"
        case .damaged: "damaged"
        }
    }

    /// The fault in a few words.
    var words: String {
        switch self {
        case .unknownLink:
            "it names a link that the relay does not show; nothing is sent until it does"
        case .linkNotChosen: "it names a link that does not count; who has it tells it again"
        case .keyMissing: "this device does not have its key"
        case .aheadOfClock: "a change in it is more than 48 hours ahead of this device's clock"
        case .incomplete: "entries before it are missing"
        case .wrongSignature: "its signature is wrong"
        case .damaged(let reason): reason
        }
    }

    /// Whether the relay contains data that no device writes.
    var isDamage: Bool {
        switch self {
        case .wrongSignature, .damaged: true
        case .unknownLink, .linkNotChosen, .keyMissing, .aheadOfClock, .incomplete: false
        }
    }
}
