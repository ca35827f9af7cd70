// ★ Table: every interface, method, property and signal. Dispatch, introspection and tests read it.

/// The interfaces of the service.
///
/// - Source: Documentation/Spec/secret-service.md §2; the Secret Service API Draft.
package enum InterfaceTable {
    package static let serviceName = "org.freedesktop.Secret.Service"
    package static let collectionName = "org.freedesktop.Secret.Collection"
    package static let itemName = "org.freedesktop.Secret.Item"
    package static let sessionName = "org.freedesktop.Secret.Session"
    package static let promptName = "org.freedesktop.Secret.Prompt"
    package static let propertiesName = "org.freedesktop.DBus.Properties"
    package static let introspectableName = "org.freedesktop.DBus.Introspectable"

    package static let rows: [InterfaceRow] = [
        service, collection, item, session, prompt, properties, introspectable,
    ]

    /// Returns the interfaces of a kind of object.
    package static func rows(of kind: ObjectKind) -> [InterfaceRow] {
        rows.filter { $0.objects.contains(kind) }
    }

    private static let service = InterfaceRow(
        serviceName,
        [.service],
        methods: [
            MethodRow(
                "OpenSession",
                in: [.init("algorithm", "s"), .init("input", "v")],
                out: [.init("output", "v"), .init("session", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.openSession(call) },
            MethodRow(
                "CreateCollection",
                in: [.init("properties", "a{sv}"), .init("alias", "s")],
                out: [.init("collection", "o"), .init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.createCollection(call) },
            MethodRow(
                "SearchItems",
                in: [.init("attributes", "a{ss}")],
                out: [.init("unlocked", "ao"), .init("locked", "ao")]
            ) { machine, call throws(SecretServiceError) in try machine.searchService(call) },
            MethodRow(
                "Unlock",
                in: [.init("objects", "ao")],
                out: [.init("unlocked", "ao"), .init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.unlock(call) },
            MethodRow(
                "Lock",
                in: [.init("objects", "ao")],
                out: [.init("locked", "ao"), .init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.lock(call) },
            MethodRow(
                "GetSecrets",
                in: [.init("items", "ao"), .init("session", "o")],
                out: [.init("secrets", "a{o(oayays)}")]
            ) { machine, call throws(SecretServiceError) in try machine.getSecrets(call) },
            MethodRow(
                "ReadAlias",
                in: [.init("name", "s")],
                out: [.init("collection", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.readAlias(call) },
            MethodRow(
                "SetAlias",
                in: [.init("name", "s"), .init("collection", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.setAlias(call) },
        ],
        properties: [
            PropertyRow(
                "Collections",
                "ao",
                get: { machine, _ throws(SecretServiceError) in try machine.collectionPaths() }
            )
        ],
        signals: [
            SignalRow("CollectionCreated", [.init("collection", "o")]),
            SignalRow("CollectionDeleted", [.init("collection", "o")]),
            SignalRow("CollectionChanged", [.init("collection", "o")]),
        ]
    )

    private static let collection = InterfaceRow(
        collectionName,
        [.collection],
        methods: [
            MethodRow(
                "Delete",
                out: [.init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.deleteCollection(call) },
            MethodRow(
                "SearchItems",
                in: [.init("attributes", "a{ss}")],
                out: [.init("results", "ao")]
            ) { machine, call throws(SecretServiceError) in try machine.searchCollection(call) },
            MethodRow(
                "CreateItem",
                in: [
                    .init("properties", "a{sv}"), .init("secret", "(oayays)"),
                    .init("replace", "b"),
                ],
                out: [.init("item", "o"), .init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.createItem(call) },
        ],
        properties: [
            PropertyRow(
                "Items",
                "ao",
                isAnnounced: false,
                get: { machine, object throws(SecretServiceError) in
                    try machine.itemPaths(of: object)
                }
            ),
            PropertyRow(
                "Label",
                "s",
                get: { machine, object throws(SecretServiceError) in
                    .text(try machine.record(of: object).label)
                },
                set: { machine, object, value throws(SecretServiceError) in
                    try machine.setCollectionLabel(value, of: object)
                }
            ),
            PropertyRow(
                "Locked",
                "b",
                get: { machine, object throws(SecretServiceError) in
                    try machine.isLocked(collection: object)
                }
            ),
            PropertyRow(
                "Created",
                "t",
                get: { machine, object throws(SecretServiceError) in
                    .time(try machine.record(of: object).created)
                }
            ),
            PropertyRow(
                "Modified",
                "t",
                isAnnounced: false,
                get: { machine, object throws(SecretServiceError) in
                    .time(try machine.record(of: object).modified)
                }
            ),
        ],
        signals: [
            SignalRow("ItemCreated", [.init("item", "o")]),
            SignalRow("ItemDeleted", [.init("item", "o")]),
            SignalRow("ItemChanged", [.init("item", "o")]),
        ]
    )

    private static let item = InterfaceRow(
        itemName,
        [.item],
        methods: [
            MethodRow(
                "Delete",
                out: [.init("prompt", "o")]
            ) { machine, call throws(SecretServiceError) in try machine.deleteItem(call) },
            MethodRow(
                "GetSecret",
                in: [.init("session", "o")],
                out: [.init("secret", "(oayays)")]
            ) { machine, call throws(SecretServiceError) in try machine.getSecret(call) },
            MethodRow(
                "SetSecret",
                in: [.init("secret", "(oayays)")]
            ) { machine, call throws(SecretServiceError) in try machine.setSecret(call) },
        ],
        properties: [
            PropertyRow(
                "Locked",
                "b",
                get: { machine, object throws(SecretServiceError) in
                    .flag(try machine.openItem(object) == nil)
                }
            ),
            PropertyRow(
                "Attributes",
                "a{ss}",
                get: { machine, object throws(SecretServiceError) in
                    .attributes(try machine.openItem(object)?.content.attributes ?? [:])
                },
                set: { machine, object, value throws(SecretServiceError) in
                    try machine.setItem(object, "Attributes", value)
                }
            ),
            PropertyRow(
                "Label",
                "s",
                get: { machine, object throws(SecretServiceError) in
                    .text(try machine.openItem(object)?.content.label ?? "")
                },
                set: { machine, object, value throws(SecretServiceError) in
                    try machine.setItem(object, "Label", value)
                }
            ),
            PropertyRow(
                "Created",
                "t",
                get: { machine, object throws(SecretServiceError) in
                    .time(try machine.openItem(object)?.created ?? 0)
                }
            ),
            PropertyRow(
                "Modified",
                "t",
                get: { machine, object throws(SecretServiceError) in
                    .time(try machine.openItem(object)?.modified ?? 0)
                }
            ),
        ]
    )

    private static let session = InterfaceRow(
        sessionName,
        [.session],
        methods: [
            MethodRow("Close") { machine, call throws(SecretServiceError) in
                try machine.closeSession(call)
            }
        ]
    )

    private static let prompt = InterfaceRow(
        promptName,
        [.prompt],
        methods: [
            MethodRow("Prompt", in: [.init("window", "s")]) {
                machine,
                call throws(SecretServiceError) in try machine.showPrompt(call)
            },
            MethodRow("Dismiss") { machine, call throws(SecretServiceError) in
                try machine.dismissPrompt(call)
            },
        ],
        signals: [SignalRow("Completed", [.init("dismissed", "b"), .init("result", "v")])]
    )

    private static let properties = InterfaceRow(
        propertiesName,
        Set(ObjectKind.allCases),
        methods: [
            MethodRow(
                "Get",
                in: [.init("interface", "s"), .init("property", "s")],
                out: [.init("value", "v")]
            ) { machine, call throws(SecretServiceError) in try machine.getProperty(call) },
            MethodRow(
                "GetAll",
                in: [.init("interface", "s")],
                out: [.init("properties", "a{sv}")]
            ) { machine, call throws(SecretServiceError) in try machine.getProperties(call) },
            MethodRow(
                "Set",
                in: [.init("interface", "s"), .init("property", "s"), .init("value", "v")]
            ) { machine, call throws(SecretServiceError) in try machine.setProperty(call) },
        ],
        signals: [
            SignalRow(
                "PropertiesChanged",
                [
                    .init("interface", "s"), .init("changed", "a{sv}"),
                    .init("invalidated", "as"),
                ]
            )
        ]
    )

    private static let introspectable = InterfaceRow(
        introspectableName,
        Set(ObjectKind.allCases),
        methods: [
            MethodRow("Introspect", out: [.init("xml", "s")]) {
                machine,
                call throws(SecretServiceError) in try machine.introspect(call)
            }
        ]
    )
}
