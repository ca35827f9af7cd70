import KeychainModel
import TestSupport
import Testing

@Suite struct `A class of files` {
    private static let pairs: [(FileClass, ProtectionClass?)] = [
        (.complete, .whenUnlocked), (.completeUnlessOpen, nil),
        (.completeUntilFirstUserAuthentication, .afterFirstUnlock), (.none, .always),
    ]

    @Test(.requirement("FDP-07", "FDP-08"), arguments: pairs)
    func `corresponds to a class of items, and the other way round`(
        fileClass: FileClass,
        itemClass: ProtectionClass?
    ) {
        #expect(fileClass.itemClass == itemClass)
        if let itemClass { #expect(FileClass(itemClass) == fileClass) }
    }

    @Test(.requirement("FDP-07"))
    func `that an open handle keeps open corresponds to no class of items`() {
        let classes = ProtectionClass.allCases.compactMap(FileClass.init)
        #expect(Set(classes) == [.complete, .completeUntilFirstUserAuthentication, .none])
        #expect(FileClass.default == .completeUntilFirstUserAuthentication)
    }
}
