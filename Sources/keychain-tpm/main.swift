import Glibc
import Secrets

// keychain-tpm: talks to a TPM for one call of a program that may not load libtss2 itself. It has
// no rights but those of the account, and no connection but its standard input and output.

CoreDump.exclude()
exit(ChipService.run(Array(CommandLine.arguments.dropFirst())))
