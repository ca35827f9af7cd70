// Does nothing, with the libraries of the `keychain` command: the least time to start that command.
import KeychainCommand
