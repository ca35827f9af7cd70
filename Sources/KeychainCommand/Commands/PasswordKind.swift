import KeychainModel

/// The differences between the commands for generic and for internet passwords.
struct PasswordKind: Sendable {
    let itemClass: ItemClass
    /// The option that names the password's service or server.
    ///
    /// The label defaults to its value.
    let place: CommandOption.Name
    let addOptions: [CommandOption]
    let findOptions: [CommandOption]
    /// The name of an existing item that prevents an add, for the error message.
    let collision: String
    /// Whether account and place together disable the other filters, as on macOS.
    let keyNamesItem: Bool

    static let generic = PasswordKind(
        itemClass: .genericPassword,
        place: .service,
        addOptions: OptionTable.addGeneric,
        findOptions: OptionTable.findGeneric,
        collision: "a password for the same account and service",
        keyNamesItem: true
    )
    static let internet = PasswordKind(
        itemClass: .internetPassword,
        place: .server,
        addOptions: OptionTable.addInternet,
        findOptions: OptionTable.findInternet,
        collision: "a password for the same account and server (and port, path, protocol)",
        keyNamesItem: false
    )
}
