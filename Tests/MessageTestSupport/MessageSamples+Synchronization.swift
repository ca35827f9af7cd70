import KeychainMessages
import KeychainModel

extension MessageSamples {
    private static let syncName = [UInt8](repeating: 9, count: SyncedItem.digestByteCount)
    private static let syncDigest = [UInt8](repeating: 10, count: SyncedItem.digestByteCount)

    private static let syncedItems = [
        SyncedItem(
            name: syncName,
            digest: syncDigest,
            itemClass: .genericPassword,
            protection: .whenUnlocked,
            isTombstone: false,
            modified: 1.5,
            attributes: [1, 2],
            value: secret,
            replaces: syncDigest
        ),
        SyncedItem(
            name: syncName,
            digest: syncDigest,
            itemClass: .key,
            protection: .always,
            isTombstone: true,
            modified: 0
        ),
    ]

    private static let syncRecords = [
        SyncRecord(key: [1], value: [2, 3]), SyncRecord(key: [4], value: nil),
    ]

    package static let synchronizations: [SynchronizationRequest] = [
        .mark, .read(after: nil, withContent: true),
        .read(after: SyncCursor(.certificate, row: 5), withContent: false),
        .contents([syncName]), .verify(syncedItems), .apply(syncedItems, keeping: syncRecords),
        .records(prefix: [1], after: nil), .records(prefix: [], after: [1]), .forget,
    ]

    private static var syncPortion: SyncPortion {
        var portion = SyncPortion()
        portion.items = syncedItems
        portion.next = SyncCursor(.internetPassword, row: 7)
        portion.damagedCount = 1
        return portion
    }

    private static var syncOutcome: SyncOutcome {
        var outcome = SyncOutcome()
        outcome.appliedCount = 2
        outcome.ignored = [syncName]
        outcome.markBefore = 3
        outcome.mark = 4
        return outcome
    }

    package static let synchronizationReplies: [SynchronizationReply] = [
        .mark(UInt64.max), .portion(syncPortion), .portion(SyncPortion()),
        .contents(syncedItems, rest: [syncName]), .applied(syncOutcome), .conflict([syncName]),
        .records(syncRecords, isLast: false), .done,
    ]
}
