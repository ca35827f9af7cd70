import KeychainModel

/// The reason why calls for one item return a status: the result of the command `explain`.
struct Diagnosis: Sendable, Equatable {
    /// The possible ends of a diagnosis tree.
    ///
    /// The raw values are those of `--json`.
    enum Cause: String, CaseIterable, Sendable {
        // -25308
        case notUnlockedSinceStart = "not-unlocked-since-start"
        case locked
        case promptImpossible = "prompt-impossible"
        case promptNeeded = "prompt-needed"
        case readable
        case lockState = "lock-state"
        // -25299
        case duplicate
        case duplicateWithOtherAttributes = "duplicate-with-other-attributes"
        case incompleteKey = "incomplete-key"
        case noDuplicate = "no-duplicate"
        // -25300
        case found
        case otherAttributes = "other-attributes"
        case synchronizableOnly = "synchronizable-only"
        case localOnly = "local-only"
        case otherGroup = "other-group"
        case otherClass = "other-class"
        case otherSpelling = "other-spelling"
        case similarName = "similar-name"
        case otherAccount = "other-account"
        case hiddenByLock = "hidden-by-lock"
        case foreignItems = "foreign-items"
        case otherKeyClass = "other-key-class"
        case otherKeyType = "other-key-type"
        case labelForTag = "label-for-tag"
        case tagForLabel = "tag-for-label"
        case certificateWithoutHash = "certificate-without-hash"
        case identityWithoutKey = "identity-without-key"
        case identityWithoutCertificate = "identity-without-certificate"
        case nothingAlike = "nothing-alike"
        // -34018
        case noGroups = "no-groups"
        case foreignGroup = "foreign-group"
        case readOnlyGroup = "read-only-group"
        case ownGroup = "own-group"
        // -50
        case contradiction
        // -25293
        case passcodeMissing = "passcode-missing"
        case attemptsDelayed = "attempts-delayed"
        case proofFailed = "proof-failed"
        // -128
        case canceled
        // -25291
        case unavailable
        case available
        // all of them
        case itemNotNamed = "item-not-named"
        case noTree = "no-tree"
        case noKeychain = "no-keychain"
    }

    let cause: Cause
    /// The facts that the tree examined, in order: a subject of a word or two, and the finding.
    var facts: [(subject: String, text: String)] = []
    /// The cause in a sentence or two.
    let conclusion: String
    /// The advice, in the order in which to try it.
    let actions: [String]
    /// Items that explain the status, such as near misses.
    var items: [KnownItem] = []

    init(
        _ cause: Cause,
        _ conclusion: String,
        _ actions: [String] = [],
        items: [KnownItem] = []
    ) {
        self.cause = cause
        self.conclusion = conclusion
        self.actions = actions
        self.items = items
    }

    static func == (left: Diagnosis, right: Diagnosis) -> Bool {
        left.cause == right.cause && left.conclusion == right.conclusion
            && left.actions == right.actions && left.items == right.items
            && left.facts.elementsEqual(right.facts) { $0 == $1 }
    }
}
