import Glibc
import Secrets

// keychain-tpm: uses a TPM for one call of a program that may not load libtss2 itself. It has only
// the account's rights, and only its standard input and output as connections.

CoreDump.exclude()
exit(ChipService.run(Array(CommandLine.arguments.dropFirst())))
