// Addresses, items and keychains are part of every plan of a migration.
@_exported import KeychainItems
