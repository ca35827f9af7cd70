#define _GNU_SOURCE
#include "CProcess.h"
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sys/prctl.h>

int process_forbid_dump(void) { return prctl(PR_SET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

int process_permit_dump(void) { return prctl(PR_SET_DUMPABLE, 1UL, 0UL, 0UL, 0UL); }

int process_dump_state(void) { return prctl(PR_GET_DUMPABLE, 0UL, 0UL, 0UL, 0UL); }

int process_set_groups(unsigned real, unsigned effective, unsigned saved) {
    return setresgid(real, effective, saved);
}

// setfsgid(2) returns the group of before whether or not it changes anything.
void process_set_file_group(unsigned group) { (void)setfsgid(group); }

int process_has_saved_group(unsigned group) {
    gid_t real, effective, saved;
    return getresgid(&real, &effective, &saved) == 0 && saved == group;
}

int process_close_from(void *actions, int descriptor) {
    return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
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
