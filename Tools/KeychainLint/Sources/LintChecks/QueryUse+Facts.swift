import LintAnalysis
import SwiftSyntax

extension QueryUse {
    var itemClass: ItemClass? { dictionary.itemClass }

    /// Whether it reads or changes a value that other calls stored under a reference.
    var hasReference: Bool { KeychainNames.references.contains { dictionary[$0] != nil } }

    var asksForAll: Bool { dictionary["kSecMatchLimit"]?.value.name == "kSecMatchLimitAll" }

    /// Whether it returns attributes, but neither data nor a reference.
    var returnsAttributesAlone: Bool {
        dictionary["kSecReturnAttributes"] != nil && dictionary["kSecReturnData"] == nil
            && dictionary["kSecReturnRef"] == nil
    }

    var isSynchronizable: Bool {
        dictionary.certain("kSecAttrSynchronizable")?.value.bool == true
    }

    /// The name of the item's accessibility, here or in its access control.
    var accessibility: String? {
        dictionary["kSecAttrAccessible"]?.value.name
            ?? dictionary["kSecAttrAccessControl"]?.value.accessControl?.protection
    }

    var accessControl: AccessControl? {
        dictionary["kSecAttrAccessControl"]?.value.accessControl
    }

    /// The offsets that findings about this dictionary share.
    var subjects: [Int] { [dictionary.literal.start, node.start] }

    /// The literal, as a second place for a report at the call.
    var literal: [(node: Syntax, text: String)] {
        [(dictionary.literal, "The dictionary begins here.")]
    }

    func text(of key: String) -> String? { dictionary[key]?.value.string }

    /// Whether two dictionaries have the same value of an attribute, as far as that is known.
    func agrees(with other: QueryUse, on key: String) -> Bool {
        guard let own = dictionary[key], let theirs = other.dictionary[key] else {
            return dictionary[key] == nil && other.dictionary[key] == nil
        }
        if let left = own.value.string, let right = theirs.value.string { return left == right }
        return own.expression?.trimmedDescription == theirs.expression?.trimmedDescription
    }
}

extension FunctionInfo {
    /// Whether the function's name says that it deletes everything.
    var isWipe: Bool {
        let words = [
            "deleteall", "removeall", "wipe", "reset", "logout", "signout", "cleanup", "clean",
            "teardown", "clear", "purge", "erase", "setup",
        ]
        return isNamed(words)
    }

    var isMigration: Bool { isNamed(["migrat"]) }
}
