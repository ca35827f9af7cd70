#define _GNU_SOURCE
#include "CProcess.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys/prctl.h>

int process_forbid_dump(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

// The signals that the runtime of Swift handles, to have another program write how this one
// crashed: "Backtracing support in Swift", section "Technical Design".
static const int crash_signals[] = {
    SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP,
};

int process_keep_memory(void) {
    int result = process_forbid_dump();
    for (size_t index = 0; index < sizeof crash_signals / sizeof *crash_signals; index++) {
        struct sigaction action;
        if (sigaction(crash_signals[index], NULL, &action) != 0) return -1;
        // Whoever started this program may have had it ignore one.
        if (action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL) continue;
        action = (struct sigaction){.sa_handler = SIG_DFL};
        if (sigaction(crash_signals[index], &action, NULL) != 0) return -1;
    }
    return result;
}

int process_permit_dump(void) { return prctl(PR_SET_DUMPABLE, 1UL, 0UL, 0UL, 0UL); }

int process_dump_state(void) { return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

int process_hide_again(int state) { return state == 0 ? process_forbid_dump() : 0; }

int process_set_groups(unsigned real, unsigned effective, unsigned saved) {
    int state = process_dump_state();
    int result = setresgid(real, effective, saved);
    return process_hide_again(state) != 0 ? -1 : result;
}

// setfsgid(2) returns the group of before whether or not it changes anything.
void process_set_file_group(unsigned group) {
    int state = process_dump_state();
    (void)setfsgid(group);
    (void)process_hide_again(state);
}

int process_has_saved_group(unsigned group) {
    gid_t real, effective, saved;
    return getresgid(&real, &effective, &saved) == 0 && saved == group;
}

int process_close_from(void *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

int process_change_directory(void *actions, const char *path) {
    return posix_spawn_file_actions_addchdir_np(actions, path);
}

int process_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int process_waking_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

int process_temporary_file(char *name) { return mkostemp(name, O_CLOEXEC); }

int process_open_child(int process) {
    // Of Linux 5.3; close-on-exec by itself.
    return (int)syscall(SYS_pidfd_open, process, 0U);
}

int process_send_signal(int descriptor, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0U);
}

int process_has_ended(int process) {
    siginfo_t found = {0};
    int result;
    do result = waitid(P_PID, (id_t)process, &found, WEXITED | WNOHANG | WNOWAIT);
    while (result != 0 && errno == EINTR);
    if (result != 0) return -1;
    return found.si_pid != 0;
}

int process_is_secure(void) { return getauxval(AT_SECURE) != 0; }

int process_become(const char *program, char *const words[], char *variables[]) {
    char **own = environ;
    environ = variables;
    execvp(program, words);
    int code = errno;
    environ = own;
    errno = code;
    return -1;
}

static const int size_seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

int process_memory_file(const char *name, long size) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, size) == 0 && fcntl(descriptor, F_ADD_SEALS, size_seals) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

int process_size_is_sealed(int descriptor) {
    int seals = fcntl(descriptor, F_GET_SEALS);
    return seals >= 0 && (seals & size_seals) == size_seals;
}

void process_bound_memory(void) {
    (void)mallopt(M_ARENA_MAX, 4);
    // Either of them also keeps glibc from raising both after each large block that is freed.
    (void)mallopt(M_MMAP_THRESHOLD, 128 << 10);
    (void)mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

void process_trim_memory(void) { malloc_trim(0); }

/// Gives back the pages of an object that nobody can write: the file still has them.
static int release_constant_pages(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    (void)context;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        // What the loader relocates is in segments that can be written.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = ((uintptr_t)object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
        uintptr_t end = (uintptr_t)object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        // The kernel's own object is no file, and refuses.
        (void)madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void process_release_code(void) { dl_iterate_phdr(release_constant_pages, NULL); }
