import Security

/// Lets tests read deprecated names without the warning that client code gets.
protocol DeprecatedNames {
    static var constants: [ConstantRow] { get }
    static var touchIDAny: SecAccessControlCreateFlags { get }
    static var touchIDCurrentSet: SecAccessControlCreateFlags { get }
}

/// The deprecated names, reached only through the protocol.
enum Deprecated {
    static var names: any DeprecatedNames.Type { Names.self }

    private enum Names: DeprecatedNames {
        @available(*, deprecated)
        static var constants: [ConstantRow] {
            [
                .init("kSecAttrAccessibleAlways", kSecAttrAccessibleAlways, "dk"),
                .init(
                    "kSecAttrAccessibleAlwaysThisDeviceOnly",
                    kSecAttrAccessibleAlwaysThisDeviceOnly,
                    "dku"
                ),
                .init("kSecUseAuthenticationUIAllow", kSecUseAuthenticationUIAllow, "u_AuthUIA"),
                .init("kSecUseAuthenticationUIFail", kSecUseAuthenticationUIFail, "u_AuthUIF"),
                .init("kSecUseNoAuthenticationUI", kSecUseNoAuthenticationUI, "u_NoAuthUI"),
                .init("kSecUseOperationPrompt", kSecUseOperationPrompt, "u_OpPrompt"),
            ]
        }

        @available(*, deprecated)
        static var touchIDAny: SecAccessControlCreateFlags { .touchIDAny }

        @available(*, deprecated)
        static var touchIDCurrentSet: SecAccessControlCreateFlags { .touchIDCurrentSet }
    }
}
