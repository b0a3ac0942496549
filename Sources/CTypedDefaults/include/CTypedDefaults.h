/// What the C library has and no Swift module names.
///
/// Linked like everything else, and not looked up by name while the program runs: a program that is linked statically
/// has no such names.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__linux__)
#include <sys/eventfd.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

/// `renameat2` in one folder with `RENAME_EXCHANGE`.
int typed_defaults_exchange(int folder, const char *one, const char *other);

/// `statx`; `found` has room for `struct statx`, which has 256 bytes on every architecture.
int typed_defaults_statx(int folder, const char *name, int flags, uint32_t mask, void *found);

/// `sync_file_range` of a whole file with `SYNC_FILE_RANGE_WRITE`: starts writing, and waits for nothing.
int typed_defaults_begin_to_write(int file);

/// `getauxval(AT_SECURE)`: whether whoever has started the program has fewer rights than it.
int typed_defaults_is_privileged(void);

/// `eventfd` with `EFD_CLOEXEC` and `EFD_NONBLOCK`.
int typed_defaults_eventfd(void);
#endif
