// Does nothing, with the libraries of the `keychain` command: the floor of that command's start.
import KeychainCommand
