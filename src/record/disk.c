/* The HDF5 file driver of the writer and of foreign files; see disk.h for why there is one. */
#define _GNU_SOURCE /* F_OFD_SETLK */
#include "record/disk.h"

#include "core/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DISK_MAXADDR (((haddr_t)1 << 62) - 1)

typedef struct disk_file {
    H5FD_t pub; /* HDF5's part, first */
    int fd;
    haddr_t eoa, eof;
    dev_t device;
    ino_t inode;
    bool reading; /* only */
    disk *state;
} disk_file;

typedef struct disk_info {
    disk *state;
} disk_info;

static bool lock_whole(int fd, int command, struct flock *lock)
{
    memset(lock, 0, sizeof *lock);
    lock->l_type = F_WRLCK;
    lock->l_whence = SEEK_SET;
    return fcntl(fd, command, lock) == 0;
}

#ifdef F_OFD_SETLK
/* file systems without locks are no reason not to write */
static bool lock_taken(int fd)
{
    struct flock lock;
    return !lock_whole(fd, F_OFD_SETLK, &lock) && (errno == EAGAIN || errno == EACCES);
}

bool disk_is_locked(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    struct flock lock;
    bool locked = lock_whole(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
    close(fd);
    return locked;
}
#else
static bool lock_taken(int fd)
{
    (void)fd;
    return false;
}

bool disk_is_locked(const char *path)
{
    (void)path;
    return false;
}
#endif

static int open_descriptor(const char *name, unsigned flags, disk *state)
{
    int mode = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
    if (flags & H5F_ACC_TRUNC)
        mode |= O_TRUNC;
    if (flags & H5F_ACC_CREAT)
        mode |= O_CREAT;
    if (flags & H5F_ACC_EXCL)
        mode |= O_EXCL;
    int fd = open(name, mode | O_CLOEXEC, 0666);
    if (fd < 0) {
        state->error = errno;
        return -1;
    }
    if ((flags & H5F_ACC_RDWR) && lock_taken(fd)) {
        state->error = EBUSY;
        close(fd);
        return -1;
    }
    // HDF5 first tries without creating; only the last attempt counts
    state->error = 0;
    return fd;
}

static H5FD_t *disk_open(const char *name, unsigned flags, hid_t fapl, haddr_t maxaddr)
{
    (void)maxaddr;
    const disk_info *info = H5Pget_driver_info(fapl);
    disk_file *file = info != NULL ? calloc(1, sizeof *file) : NULL;
    if (file == NULL)
        return NULL;
    file->state = info->state;
    file->fd = open_descriptor(name, flags, info->state);
    struct stat st;
    if (file->fd < 0 || fstat(file->fd, &st) != 0) {
        if (file->fd >= 0)
            close(file->fd);
        free(file);
        return NULL;
    }
    file->eof = (haddr_t)st.st_size;
    file->device = st.st_dev;
    file->inode = st.st_ino;
    file->reading = (flags & H5F_ACC_RDWR) == 0;
    return &file->pub;
}

static herr_t disk_close(H5FD_t *pub)
{
    disk_file *file = (disk_file *)pub;
    if (close(file->fd) != 0 && file->state->error == 0)
        file->state->error = errno;
    free(file);
    return 0;
}

static int disk_cmp(const H5FD_t *pub1, const H5FD_t *pub2)
{
    const disk_file *a = (const disk_file *)pub1, *b = (const disk_file *)pub2;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    return 0;
}

static herr_t disk_query(const H5FD_t *pub, unsigned long *flags)
{
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    if (pub != NULL && ((const disk_file *)pub)->reading)
        *flags &= ~(unsigned long)H5FD_FEAT_ACCUMULATE_METADATA;
    return 0;
}

static haddr_t disk_get_eoa(const H5FD_t *pub, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)pub)->eoa;
}

static herr_t disk_set_eoa(H5FD_t *pub, H5FD_mem_t type, haddr_t addr)
{
    (void)type;
    ((disk_file *)pub)->eoa = addr;
    return 0;
}

static haddr_t disk_get_eof(const H5FD_t *pub, H5FD_mem_t type)
{
    (void)type;
    return ((const disk_file *)pub)->eof;
}

static herr_t disk_get_handle(H5FD_t *pub, hid_t fapl, void **handle)
{
    (void)fapl;
    *handle = &((disk_file *)pub)->fd;
    return 0;
}

// whether bytes lie within a file; one that is being written has grown since the last look
static bool is_inside(disk_file *file, haddr_t addr, size_t size)
{
    struct stat st;
    if (addr <= file->eof && size <= file->eof - addr)
        return true;
    if (fstat(file->fd, &st) != 0)
        return false;
    file->eof = (haddr_t)st.st_size;
    return addr <= file->eof && size <= file->eof - addr;
}

static herr_t disk_read(H5FD_t *pub, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size, void *buffer)
{
    (void)type;
    (void)dxpl;
    disk_file *file = (disk_file *)pub;
    char *at = buffer;
    if (file->reading && !is_inside(file, addr, size))
        return -1;
    while (size > 0) {
        ssize_t got = pread(file->fd, at, size, (off_t)addr);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        // past the end of the file there are zeros
        if (got == 0) {
            memset(at, 0, size);
            return 0;
        }
        at += got;
        addr += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t disk_write(H5FD_t *pub, H5FD_mem_t type, hid_t dxpl, haddr_t addr, size_t size,
                         const void *buffer)
{
    (void)type;
    (void)dxpl;
    disk_file *file = (disk_file *)pub;
    const char *at = buffer;
    while (size > 0 && file->state->error == 0) {
        ssize_t put = pwrite(file->fd, at, size, (off_t)addr);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0) {
            file->state->error = put < 0 ? errno : EIO;
            break;
        }
        at += put;
        addr += (haddr_t)put;
        size -= (size_t)put;
    }
    // what was dropped counts as written, so that HDF5 can go on to its end
    if (addr + size > file->eof)
        file->eof = addr + size;
    return 0;
}

static herr_t disk_truncate(H5FD_t *pub, hid_t dxpl, hbool_t closing)
{
    (void)dxpl;
    (void)closing;
    disk_file *file = (disk_file *)pub;
    if (file->eoa == file->eof)
        return 0;
    if (file->state->error == 0 && ftruncate(file->fd, (off_t)file->eoa) != 0)
        file->state->error = errno;
    file->eof = file->eoa;
    return 0;
}

/* the file is locked at its opening; HDF5 marks files as being written only if the driver has these */
static herr_t disk_lock(H5FD_t *pub, hbool_t writing)
{
    (void)pub;
    (void)writing;
    return 0;
}

static herr_t disk_unlock(H5FD_t *pub)
{
    (void)pub;
    return 0;
}

static const H5FD_class_t disk_class = {
    .name = "moreau-disk",
    .maxaddr = DISK_MAXADDR,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(disk_info),
    .open = disk_open,
    .close = disk_close,
    .cmp = disk_cmp,
    .query = disk_query,
    .get_eoa = disk_get_eoa,
    .set_eoa = disk_set_eoa,
    .get_eof = disk_get_eof,
    .get_handle = disk_get_handle,
    .read = disk_read,
    .write = disk_write,
    .truncate = disk_truncate,
    .lock = disk_lock,
    .unlock = disk_unlock,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

bool disk_use(hid_t fapl, disk *state)
{
    const disk_info info = {state};
    *state = (disk){.driver = H5FDregister(&disk_class)};
    return state->driver > 0 && H5Pset_driver(fapl, state->driver, &info) >= 0;
}

bool disk_end(hid_t file, disk *state)
{
    const bool closed = file < 0 || H5Fclose(file) >= 0;
    if (state->driver > 0)
        H5FDunregister(state->driver);
    state->driver = 0;
    return closed;
}

mo_status disk_target(const char *path, const char *failure, char **out, mo_error *err)
{
    struct stat st;
    *out = NULL;
    if (stat(path, &st) != 0) {
        *out = strdup(path);
    } else {
        if (!S_ISREG(st.st_mode))
            return fail(err, MO_IO, NULL, "%s: not a regular file", failure);
        if (access(path, W_OK) != 0)
            return fail(err, MO_IO, NULL, "%s: %s", failure, strerror(errno));
        *out = realpath(path, NULL);
    }
    return *out != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "%s: no memory for its path", failure);
}
