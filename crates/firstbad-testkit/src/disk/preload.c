/* What a program does to the files in one folder, written down, and calls that fail: loaded into it by LD_PRELOAD.
 * `preload.rs` builds it, says what the variables of the environment mean, and reads what it writes. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define LONGEST 4096

static const char *folder;
static size_t folder_length;
static const char *skipped;
static int record_fd = -1;
static long calls, fail_from = -1, fail_to = -1, quarters, kill_at = -1;

__attribute__((constructor)) static void begin(void) {
    const char *fail = getenv("FIRSTBAD_DISK_FAIL"), *kill = getenv("FIRSTBAD_DISK_KILL");
    const char *record = getenv("FIRSTBAD_DISK_RECORD");
    folder = getenv("FIRSTBAD_DISK_FOLDER");
    skipped = getenv("FIRSTBAD_DISK_SKIP");
    if (!folder || !record)
        return;
    folder_length = strlen(folder);
    if (fail)
        sscanf(fail, "%ld %ld %ld", &fail_from, &fail_to, &quarters);
    if (kill)
        kill_at = atol(kill);
    record_fd = syscall(SYS_openat, AT_FDCWD, record, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static int is_ours(const char *path) {
    return record_fd >= 0 && path && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

/* The path of an open file in the folder. */
static int path_of(int fd, char *path) {
    char link[64];
    if (record_fd < 0 || fd == record_fd)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, LONGEST - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return is_ours(path);
}

static unsigned long number_of(int fd) {
    struct stat found;
    return fstat(fd, &found) ? 0 : (unsigned long)found.st_ino;
}

static void note(const void *bytes, size_t length, const char *format, ...) {
    char line[3 * LONGEST];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    struct iovec parts[2] = {{line, (size_t)written}, {(void *)bytes, length}};
    if (syscall(SYS_writev, record_fd, parts, 2) != (long)(written + length))
        abort();
}

/* Counts a call: 0 if it is to be done, 1 if it fails, 2 if the process is killed in the middle of it. */
static int fate(int error) {
    long call = calls++;
    if (call == kill_at)
        return 2;
    if (call < fail_from || call >= fail_to)
        return 0;
    note(NULL, 0, "mark failing\n");
    errno = error;
    return 1;
}

static void end(void) {
    note(NULL, 0, "calls %ld\n", calls);
    kill(getpid(), SIGKILL);
}

__attribute__((destructor)) static void finish(void) {
    if (record_fd >= 0)
        note(NULL, 0, "calls %ld\n", calls);
}

static int opened(const char *path, int flags, mode_t mode) {
    struct stat found;
    if (!is_ours(path) || !(flags & (O_WRONLY | O_RDWR)))
        return syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    int is_new = (flags & O_CREAT) && stat(path, &found);
    if (is_new) {
        int how = fate(ENOSPC);
        if (how == 2)
            end();
        if (how)
            return -1;
    }
    int fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (fd >= 0 && is_new)
        note(NULL, 0, "create %lu %s\n", number_of(fd), path);
    else if (fd >= 0 && (flags & O_TRUNC))
        note(NULL, 0, "cut %lu 0\n", number_of(fd));
    return fd;
}

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return opened(path, flags, mode);
}

int open64(const char *path, int flags, ...) __attribute__((alias("open")));

static ssize_t written(int fd, const void *bytes, size_t length, off_t at, int appends) {
    char path[LONGEST];
    int ours = path_of(fd, path), how = ours ? fate(ENOSPC) : 0;
    size_t done = how == 2 ? length / 2 : how ? length * (size_t)quarters / 4 : length;
    off_t place = at;
    if (ours && appends)
        place = (fcntl(fd, F_GETFL) & O_APPEND) ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    ssize_t result = appends ? syscall(SYS_write, fd, bytes, done) : syscall(SYS_pwrite64, fd, bytes, done, at);
    if (ours && result > 0)
        note(bytes, (size_t)result, "write %lu %lld %zd\n", number_of(fd), (long long)place, result);
    if (how == 2)
        end();
    if (how) {
        errno = ENOSPC;
        return -1;
    }
    return result;
}

ssize_t write(int fd, const void *bytes, size_t length) { return written(fd, bytes, length, 0, 1); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) { return written(fd, bytes, length, at, 0); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) __attribute__((alias("pwrite")));

int ftruncate(int fd, off_t length) {
    char path[LONGEST];
    int ours = path_of(fd, path), how = ours ? fate(EIO) : 0;
    if (how == 2)
        end();
    if (how)
        return -1;
    int result = syscall(SYS_ftruncate, fd, length);
    if (ours && !result)
        note(NULL, 0, "cut %lu %lld\n", number_of(fd), (long long)length);
    return result;
}

int ftruncate64(int fd, off_t length) __attribute__((alias("ftruncate")));

/* Nothing waits for the disk: what would be there is known. */
static int synced(int fd) {
    char path[LONGEST];
    struct stat found;
    if (!path_of(fd, path) || fstat(fd, &found))
        return 0;
    int how = fate(EIO), is_folder = S_ISDIR(found.st_mode);
    if (how == 2)
        end();
    if (how) {
        if (!is_folder)
            note(NULL, 0, "sync-failed %lu\n", (unsigned long)found.st_ino);
        return -1;
    }
    const char *name = strrchr(path, '/');
    int is_skipped = skipped && name && !strcmp(name + 1, skipped);
    note(NULL, 0, "synced %s\n", name ? name + 1 : path);
    if (is_skipped)
        return 0;
    if (is_folder)
        note(NULL, 0, "sync-folder %s\n", path);
    else
        note(NULL, 0, "sync %lu\n", (unsigned long)found.st_ino);
    return 0;
}

int fsync(int fd) { return synced(fd); }
int fdatasync(int fd) { return synced(fd); }

int unlink(const char *path) {
    int ours = is_ours(path), how = ours ? fate(EIO) : 0;
    if (how == 2)
        end();
    if (how)
        return -1;
    int result = syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (ours && !result)
        note(NULL, 0, "remove %s\n", path);
    return result;
}

int rename(const char *from, const char *to) {
    struct stat found;
    int ours = is_ours(from) || is_ours(to), how = ours ? fate(ENOSPC) : 0;
    if (how == 2)
        end();
    if (how || (ours && stat(from, &found)))
        return -1;
    int result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (ours && !result)
        note(NULL, 0, "rename %lu %s\t%s\n", (unsigned long)found.st_ino, from, to);
    return result;
}

int mkdir(const char *path, mode_t mode) {
    int ours = is_ours(path), how = ours ? fate(ENOSPC) : 0;
    if (how == 2)
        end();
    if (how)
        return -1;
    int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (ours && !result)
        note(NULL, 0, "folder %s\n", path);
    return result;
}
