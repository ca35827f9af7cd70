// What Swift cannot call by itself: prctl(2) takes a variable number of arguments; setresgid(2),
// pipe2(2), pidfd_open(2), memfd_create(2) and malloc_trim(3) are extensions that the headers hide
// from Swift.

#ifndef CPROCESS_H
#define CPROCESS_H

/// Forbids core files, ptrace(2) and `/proc/<pid>/mem` to everybody but root.
///
/// Returns 0, or -1 with `errno`. Lasts until the process runs another program.
int process_forbid_dump(void);

/// Does that too, and leaves crashes to the kernel: the handler of Swift's runtime starts a program
/// that reads the memory, and finds it by the path that this process was started with.
///
/// Returns 0, or -1 with `errno`.
int process_keep_memory(void);

/// Takes that back: other processes of the account may look at this one again.
///
/// Returns 0, or -1 with `errno`.
int process_permit_dump(void);

/// Returns 1 if this process may be dumped, 0 if it may not, 2 if by root alone, -1 with `errno`.
int process_dump_state(void);

/// Makes the process not dumpable again if that was its state before.
///
/// A change of its groups or accounts sets the state to that of `fs.suid_dumpable`, which may be 2:
/// the kernel then pipes its memory to a handler in a crash. A child of posix_spawn(3) that changes
/// its own does the same to the process that started it: they share their memory. Source: prctl(2),
/// `PR_SET_DUMPABLE`.
int process_hide_again(int state);

/// Sets the real, effective and saved group of the process. Returns 0, or -1 with `errno`.
int process_set_groups(unsigned real, unsigned effective, unsigned saved);

/// Sets the group that this thread, and those that it starts, use for files.
void process_set_file_group(unsigned group);

/// Returns 1 if a group is the saved one of the process, else 0.
int process_has_saved_group(unsigned group);

/// Has a program that posix_spawn(3) is to start close all descriptors from this one on.
///
/// The actions are a `posix_spawn_file_actions_t`. Returns 0, or an error number.
int process_close_from(void *actions, int descriptor);

/// Has such a program work in another directory. Returns 0, or an error number.
int process_change_directory(void *actions, const char *path);

/// Makes a pipe that is close-on-exec from its first moment. Returns 0, or -1 with `errno`.
int process_pipe(int ends[2]);

/// Makes such a pipe for waking a thread: nobody waits for its ends. Returns 0, or -1 with `errno`.
int process_waking_pipe(int ends[2]);

/// Makes a file whose name ends with six characters in place of `XXXXXX`. Returns it, or -1 with
/// `errno`.
int process_temporary_file(char *name);

/// Returns a descriptor of a child (pidfd), or -1 with `errno`.
int process_open_child(int process);

/// Sends a signal through such a descriptor. Returns 0, or -1 with `errno`.
int process_send_signal(int descriptor, int signal);

/// Returns 1 if a child ended and waits for its parent, 0 if it runs, -1 if it is no child.
int process_has_ended(int process);

/// Returns 1 if the kernel started this process with raised rights, so that glibc took variables of
/// its environment away, else 0.
int process_is_secure(void);

/// Puts another program in the place of this process, with variables of its own; looks for a name
/// in the directories of their `PATH`. Returns -1 with `errno`, or not at all.
int process_become(const char *program, char *const words[], char *variables[]);

/// Makes memory behind a descriptor whose size nobody can change. Returns it, or -1 with `errno`.
int process_memory_file(const char *name, long size);

/// Gives memory that malloc(3) keeps for later back to the system.
void process_trim_memory(void);

/// Has malloc(3) keep little: few arenas for all threads, and memory of 128 KiB and more that goes
/// back to the system when it is freed, however often that happens.
///
/// Source: mallopt(3), M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD.
void process_bound_memory(void);

/// Lets the kernel take the pages of code and constants of this process. They come back from their
/// files, page by page, when they are needed.
///
/// Source: madvise(2), MADV_DONTNEED; dl_iterate_phdr(3).
void process_release_code(void);

/// Returns 1 if nobody can change the size of the memory behind a descriptor, else 0.
int process_size_is_sealed(int descriptor);

#endif
