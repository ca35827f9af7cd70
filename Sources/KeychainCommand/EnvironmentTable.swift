// ★ Table: every environment variable that the command or the library reads, for the help.

/// The environment variables, in the order in which the help lists them.
enum EnvironmentTable {
    /// The argument of `help` that shows this table.
    static let topic = "environment"

    static let rows: [(name: String, meaning: String)] = [
        ("KEYCHAIN_HOME", "use the keychain in this directory [~/.local/share/keychain]"),
        ("KEYCHAIN_ENTITLEMENTS", "read the access groups from this file [<program>.entitlements]"),
        (
            "KEYCHAIN_UNLOCK_WITH",
            "unlock with fd:N, file:PATH, credential:NAME, tpm or tpm:TCTI [not set]"
        ),
        (
            "KEYCHAIN_UNLOCK_TIME",
            "make a new passcode take this many milliseconds to unlock with [500]"
        ),
        ("KEYCHAIN_PROMPT", "prompt with none, terminal, pinentry or auto [auto]"),
        ("KEYCHAIN_PINENTRY", "prompt with this program, unless protected [pinentry in PATH]"),
        ("KEYCHAIN_FINGERPRINT", "1: accept a fingerprint, read by fprintd [0]"),
        ("KEYCHAIN_DIAGNOSTICS", "1: print every finding, and why a keychain does not open [0]"),
        ("KEYCHAIN_BEHAVIOR", "follow Apple's guides (documented) or appleSource [appleSource]"),
        (
            "KEYCHAIN_SECURE_ELEMENT",
            "create a new keychain on a TPM: tpm2, or tpm2:TCTI [a file on the disk]"
        ),
        (
            "KEYCHAIN_SOCKET",
            "use the daemon at this socket; empty: use none [the first that has one]"
        ),
        ("KEYCHAIN_PKCS11_LIST", "all: list keys of newer types in PKCS #11, too [not set]"),
        ("KEYCHAIN_SIM", "use the simulated device of this name or socket [not set]"),
        (
            "KEYCHAIN_ETCD_CREDENTIALS",
            "sync: read user:password of an etcd relay from this file [none]"
        ),
        ("XDG_DATA_HOME", "keep the directory keychain here [~/.local/share]"),
        ("XDG_RUNTIME_DIR", "share an unlock among programs here [/run/user/UID or /dev/shm]"),
        ("CREDENTIALS_DIRECTORY", "find credential:NAME here; systemd sets it"),
    ]
}
