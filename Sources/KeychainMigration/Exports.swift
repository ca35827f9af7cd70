// Every migration plan needs the types for addresses, items and keychains.
@_exported import KeychainItems
