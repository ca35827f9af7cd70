import KeychainCommand
import KeychainModel
import KeychainSync
import KeychainSyncDriver
import SyncRelay

extension CommandFailure {
    /// Converts a failure of synchronization to one for the user.
    init(_ failure: SyncFailure) {
        switch failure {
        case .keychain(let error): self = .keychain(error)
        case .relay(let error): self = .unmet(error.words)
        case .format(let error): self = .unmet(error.words)
        case .notJoined:
            self = .unmet("this keychain is in no circle: use sync create or sync join")
        case .alreadyJoined:
            self = .unmet(
                "this keychain is in a circle already, or asked to join one: sync status shows it,"
                    + " and sync leave ends it"
            )
        case .noSuchRequest:
            self = .unmet(
                "no device with this fingerprint asks to join: compare it with what sync status"
                    + " says there, or wait until the relay has the request"
            )
        case .circleCode:
            self = .unmet("this is the circle's code: give the fingerprint that the device shows")
        case .noSuchDevice:
            self = .unmet(
                "no other device of the circle has this name or fingerprint: sync status lists"
                    + " them; this device leaves with sync leave"
            )
        case .ambiguousDevice:
            self = .unmet("several devices have this name: give the fingerprint")
        case .notKeeper: self = .notKeeper
        case .notFirstKeeper: self = .notFirstKeeper
        case .keeperAlready: self = .unmet("the device is a keeper already")
        case .firstKeeper:
            self = .unmet(
                "this device is the first keeper, so nobody could take it out: promote another"
                    + " device, run sync remove there with --recovery, or use sync leave --force"
            )
        case .letIn(let names):
            self = .unmet(
                "that device let others in: \(names.map(shown).joined(separator: ", ")). Add"
                    + " --with-others to remove them too, or --keep-others"
            )
        case .wrongRecoveryKey:
            self = .unmet(
                "this is not the recovery key of this circle, or the relay does not have the"
                    + " circle yet: check the key, the code and the relay"
            )
        case .removed:
            self = .unmet(
                "another device removed this one from the circle; its items stay, and sync join"
                    + " asks to come back"
            )
        case .rolledBack(let stream):
            self = .unmet(
                "the relay shows less of the stream \(stream.hexadecimal) than before: somebody put"
                    + " it back, removed entries, or this is another relay; give it what the"
                    + " earlier one had"
            )
        case .damagedState(let reason):
            self = .keychain(KeychainError(.decode, "the state of synchronization: \(reason)"))
        }
    }

    private static let notFirstKeeper = CommandFailure.unmet(
        "only the first keeper, or the present recovery key, replaces the recovery key: run this on"
            + " the first keeper, or add --recovery"
    )

    private static let notKeeper = CommandFailure.unmet(
        "this device is no keeper: run this on a keeper (sync status lists them), or let a keeper"
            + " promote this one"
    )

    /// Runs work of synchronization, and converts its failure.
    static func wrapping<R>(_ body: () throws(SyncFailure) -> R) throws(CommandFailure) -> R {
        do throws(SyncFailure) { return try body() } catch { throw CommandFailure(error) }
    }
}

extension SyncError {
    /// The failure as one line.
    var words: String {
        switch self {
        case .damaged(let reason): reason
        case .wrongSignature: "a signature is wrong"
        case .noKey: "a key is missing"
        case .notAllowed(let fault): "the circle does not allow this: \(fault.words)"
        case .tooLarge: "there is more than the format has room for"
        case .backend(let reason): reason
        }
    }
}
