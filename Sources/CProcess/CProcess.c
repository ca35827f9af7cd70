#define _GNU_SOURCE
#include "CProcess.h"
#include <unistd.h>

#include <sys/prctl.h>

int process_forbid_dump(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

int process_dump_state(void) { return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

int process_set_groups(unsigned real, unsigned effective, unsigned saved) {
    return setresgid(real, effective, saved);
}
