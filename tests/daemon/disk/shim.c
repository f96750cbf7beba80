/* A bad disk between a program and its C library; preloaded into the daemon.
 *
 * FAULT_SWITCH names a file whose first letter says how the disk is at the moment:
 *   e  it errs: whatever is written or synced fails with EIO
 *   s  a sync fails once with EIO, and whatever was written is taken
 *   f  it is full: what is written fails with ENOSPC
 *   r  it may only be read: writing and opening for it fail with EROFS
 *   l  it lies: a sync says it has been done
 * and anything else, or no file, is a disk that works. FAULT_UNDER names the folder on that disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Not through the functions that are replaced here. */
static char state(void) {
    const char *path = getenv("FAULT_SWITCH");
    char letter = 0;
    if (!path) return 0;
    int saved = errno;
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0) {
        if (syscall(SYS_read, fd, &letter, 1) != 1) letter = 0;
        syscall(SYS_close, fd);
    }
    errno = saved;
    return letter;
}

static int path_is_ours(const char *path) {
    const char *under = getenv("FAULT_UNDER");
    return under && strncmp(path, under, strlen(under)) == 0;
}

/* What the daemon says about it goes elsewhere. */
static int is_ours(int fd) {
    if (fd <= STDERR_FILENO) return 0;
    char link[64], path[4096];
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    errno = saved;
    if (length < 0) return 0;
    path[length] = 0;
    return path_is_ours(path);
}

/* The error of a write to this file now, or 0. */
static int refused(int fd) {
    char how = state();
    if (!how || !strchr("efr", how) || !is_ours(fd)) return 0;
    return how == 'e' ? EIO : how == 'f' ? ENOSPC : EROFS;
}

#define REFUSE(fd) do { int cause = refused(fd); if (cause) { errno = cause; return -1; } } while (0)

ssize_t write(int fd, const void *bytes, size_t count) {
    REFUSE(fd);
    return REAL(write)(fd, bytes, count);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REFUSE(fd);
    return REAL(writev)(fd, parts, count);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
    REFUSE(fd);
    return REAL(pwrite)(fd, bytes, count, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    REFUSE(fd);
    return REAL(pwrite64)(fd, bytes, count, at);
}

int ftruncate64(int fd, off64_t length) {
    REFUSE(fd);
    return REAL(ftruncate64)(fd, length);
}

int fallocate64(int fd, int mode, off64_t at, off64_t length) {
    REFUSE(fd);
    return REAL(fallocate64)(fd, mode, at, length);
}

/* posix_fallocate gives the error and leaves errno alone. */
int posix_fallocate64(int fd, off64_t at, off64_t length) {
    int cause = refused(fd);
    return cause ? cause : REAL(posix_fallocate64)(fd, at, length);
}

static int synced(int fd, int (*really)(int)) {
    char how = state();
    if (how && strchr("ersl", how) && is_ours(fd)) {
        if (how == 'l') return 0;
        if (how != 's' || !unlink(getenv("FAULT_SWITCH"))) {
            errno = EIO;
            return -1;
        }
    }
    return really(fd);
}

int fsync(int fd) { return synced(fd, REAL(fsync)); }

int fdatasync(int fd) { return synced(fd, REAL(fdatasync)); }

static int opened(int folder, const char *path, int flags, mode_t mode, int (*really)(int, const char *, int, ...)) {
    char how = state();
    int writes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
    if (writes && how && strchr("ef", how) && (flags & O_CREAT) && path_is_ours(path) && access(path, F_OK)) {
        errno = how == 'e' ? EIO : ENOSPC;
        return -1;
    }
    if (writes && how == 'r' && path_is_ours(path)) {
        errno = EROFS;
        return -1;
    }
    return really(folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list more) { return flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0; }

#define OPEN(name)                                                                 \
    int name(const char *path, int flags, ...) {                                   \
        va_list more;                                                              \
        va_start(more, flags);                                                     \
        mode_t mode = mode_of(flags, more);                                        \
        va_end(more);                                                              \
        return opened(AT_FDCWD, path, flags, mode, REAL(openat));                  \
    }

OPEN(open)
OPEN(open64)
