#ifndef KEYCHAIN_FUZZ_DRIVER_H
#define KEYCHAIN_FUZZ_DRIVER_H

// Runs libFuzzer with the arguments of the process; returns its exit code.
int cfuzz_run(int argument_count, char *_Nullable *_Nonnull arguments);

#endif
