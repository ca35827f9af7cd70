// ★ Queries: one row for each rule.

extension Catalogue {
    static let queries: [Rule] = [
        Rule(
            "KC101",
            "incomplete-primary-key",
            .warning,
            .flow,
            "A password without all of its primary key collides with another one (-25299), "
                + "or the query finds the wrong item.",
            advice: "Name every attribute of the primary key in every query: service and "
                + "account, or server and account.",
            source: "Item classes guide; Keychain overview",
            owasp: "MASVS-STORAGE-1",
            yieldsTo: ["KC114"]
        ),
        Rule(
            "KC102",
            "accessible-in-search",
            .error,
            .flow,
            "A query with kSecAttrAccessible misses items of another class (-25300), and "
                + "the add that follows fails with -25299.",
            advice: "Leave it out of queries. Set it in adds and in the new values of updates.",
            source: "Migration guide",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC103",
            "non-key-attribute-lookup",
            .warning,
            .flow,
            "The query also compares a label or comment, which is not part of the primary "
                + "key. It misses an item that the add then collides with.",
            advice: "Look up by the primary key, and nothing else.",
            source: "Keychain overview",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC104",
            "missing-return-flag",
            .error,
            .flow,
            "A search without a kSecReturn key succeeds and returns nothing.",
            advice: "Add kSecReturnData, kSecReturnAttributes or kSecReturnRef.",
            source: "Keychain fundamentals"
        ),
        Rule(
            "KC105",
            "implicit-match-limit",
            .note,
            .flow,
            "The default limit differs between contexts and between keychains.",
            advice: "State kSecMatchLimitOne or kSecMatchLimitAll.",
            source: "Keychain overview"
        ),
        Rule(
            "KC106",
            "result-cast-mismatch",
            .error,
            .flow,
            "The return keys and the limit decide the type of the result. A cast to another"
                + " type crashes or returns nil.",
            advice: "Cast with `as?` to the type that the return keys produce, after you check "
                + "the status.",
            source: "Keychain overview"
        ),
        Rule(
            "KC107",
            "broad-delete",
            .warning,
            .flow,
            "SecItemDelete has no limit. It deletes every item that matches.",
            advice: "Name the whole primary key, or put the deletion of all items into a "
                + "function that is named for it.",
            source: "Keychain overview; Keychain fundamentals",
            owasp: "MASVS-STORAGE-1",
            dynamic: true
        ),
        Rule(
            "KC108",
            "match-key-outside-search",
            .error,
            .flow,
            "kSecMatch keys belong in searches. Other calls fail with -50, or ignore them.",
            advice: "Remove the kSecMatch key.",
            source: "Keychain overview; Apple Security source (Security-61901)",
            dynamic: true
        ),
        Rule(
            "KC109",
            "key-in-wrong-dictionary",
            .error,
            .flow,
            "The new values of an update can hold only attributes and data, and its query "
                + "no return keys. The call fails with -50.",
            advice: "Build one dictionary for the query and one for the new values.",
            source: "Keychain overview; Keychain fundamentals",
            dynamic: true
        ),
        Rule(
            "KC110",
            "dictionary-reuse",
            .note,
            .flow,
            "One dictionary that changes between two calls carries keys of the first call "
                + "into the second.",
            advice: "Keep a base query constant, and change a copy for each call.",
            source: "Keychain fundamentals",
            dynamic: true
        ),
        Rule(
            "KC111",
            "raw-string-key",
            .warning,
            .syntax,
            "A misspelled text key is no error for the compiler. The call ignores or refuses it.",
            advice: "Use the kSec constants.",
            source: "Keychain fundamentals"
        ),
        Rule(
            "KC112",
            "over-fetch",
            .note,
            .flow,
            "kSecReturnData decrypts each item, although the code uses only the status or "
                + "the attributes.",
            advice: "Remove kSecReturnData, or ask for attributes.",
            source: "Item classes guide"
        ),
        Rule(
            "KC113",
            "unscoped-enumeration",
            .note,
            .flow,
            "A search for everything of a class reads all items and also returns those of "
                + "other modules.",
            advice: "Narrow the search by service, server or access group.",
            source: "Item classes guide; Keychain fundamentals",
            owasp: "MASVS-STORAGE-2"
        ),
        Rule(
            "KC114",
            "generic-as-identifier",
            .warning,
            .flow,
            "kSecAttrGeneric is not part of the primary key. Two such items collide, or a "
                + "query finds the wrong one.",
            advice: "Identify the item by service and account.",
            source: "Item classes guide",
            owasp: "MASVS-STORAGE-1"
        ),
        Rule(
            "KC115",
            "missing-class",
            .error,
            .flow,
            "A query without kSecClass fails with -50.",
            advice: "Add kSecClass, or search by a reference.",
            source: "Apple Security source (Security-61901)",
            dynamic: true
        ),
    ]
}
