#if defined(__linux__)
#define _GNU_SOURCE
#include "CTypedDefaults.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

// By number where the C library may be older than the call; a kernel that does not know it answers ENOSYS.

int typed_defaults_exchange(int folder, const char *one, const char *other) {
#if defined(SYS_renameat2)
    // `RENAME_EXCHANGE`.
    return (int)syscall(SYS_renameat2, folder, one, folder, other, 2u);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int typed_defaults_statx(int folder, const char *name, int flags, uint32_t mask, void *found) {
#if defined(SYS_statx)
    return (int)syscall(SYS_statx, folder, name, flags, mask, found);
#else
    errno = ENOSYS;
    return -1;
#endif
}

int typed_defaults_begin_to_write(int file) {
    return sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int typed_defaults_is_privileged(void) {
    return getauxval(AT_SECURE) != 0;
}

int typed_defaults_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}
#endif
