/// A property list of one dictionary.
func propertyList(_ entries: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "">
    <plist version="1.0"><dict>\(entries)</dict></plist>
    """
}

/// The entry that names a program's access groups.
func groupEntry(_ names: String...) -> String {
    let strings = names.map { "<string>\($0)</string>" }.joined()
    return "<key>keychain-access-groups</key><array>\(strings)</array>"
}

/// The entry that names a program of a team.
let identifierEntry = "<key>application-identifier</key><string>TEAM.com.example.mail</string>"
