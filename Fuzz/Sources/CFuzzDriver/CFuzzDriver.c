#include "CFuzzDriver.h"

#include <stddef.h>
#include <stdint.h>

// libFuzzer's own entry, for programs that bring their own main.
int LLVMFuzzerRunDriver(
    int *argument_count, char ***arguments, int (*test)(const uint8_t *data, size_t size));

// What libFuzzer calls for every input; written in Swift.
int keychain_fuzz_one_input(const uint8_t *data, size_t size);

int cfuzz_run(int argument_count, char **arguments) {
    return LLVMFuzzerRunDriver(&argument_count, &arguments, keychain_fuzz_one_input);
}
