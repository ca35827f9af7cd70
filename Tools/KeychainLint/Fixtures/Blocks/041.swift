// An update first, and an add of both dictionaries together if nothing was there.
var outcome = SecItemUpdate(place as CFDictionary, contents as CFDictionary)
if outcome == errSecItemNotFound {
    let whole = place.merging(contents) { old, _ in old }
    outcome = SecItemAdd(whole as CFDictionary, nil)
}
