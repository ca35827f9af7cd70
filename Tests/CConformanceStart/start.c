#include "CConformanceStart.h"

#include <stdlib.h>

__attribute__((constructor)) static void begin(void) {
    if (getenv("KEYCHAIN_CONFORMANCE_ENDPOINT") != NULL) conformance_begin();
}
