#!/usr/bin/env python3
"""A file system that is not local: shows a folder through FUSE, as one machine sees it that has it over a network.

Usage: remotefs.py FOLDER MOUNT SECONDS [bytes] [noexchange] [stale]

The kernel remembers names, lengths and times for so many seconds, and with `bytes` also what it has read of a file until
the file is opened again. `flock` goes to the folder, so that several of these exclude one another. With `noexchange` two
names cannot be exchanged; with `stale` a file that has lost its last name is gone for those who have it open, as with NFS.
Prints a line once it is mounted, and ends when it is no longer.
"""
import os, sys, struct, ctypes, fcntl, errno
back, mnt, keep, options = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4:]
# FOPEN_DIRECT_IO.
direct = 0 if "bytes" in options else 1
fd = os.open("/dev/fuse", os.O_RDWR)
libc = ctypes.CDLL(None, use_errno=True)
if libc.mount(b"remotefs", mnt.encode(), b"fuse", 0, f"fd={fd},rootmode=40000,user_id=0,group_id=0,default_permissions,allow_other".encode()):
    print("mount:", os.strerror(ctypes.get_errno())); sys.exit(1)
print("mounted", flush=True)
P = os.O_PATH | os.O_NOFOLLOW
nodes = {1: os.open(back, P)}
known = {}
def node(f):
    s = os.fstat(f); k = (s.st_dev, s.st_ino)
    if k in known and known[k] in nodes: os.close(f); return known[k]
    n = len(nodes) + 1; nodes[n] = f; known[k] = n; return n
def attr(s):
    return struct.pack("<QQQQQQIIIIIIIIII", s.st_ino, s.st_size, s.st_blocks, s.st_atime_ns // 10**9, s.st_mtime_ns // 10**9,
        s.st_ctime_ns // 10**9, s.st_atime_ns % 10**9, s.st_mtime_ns % 10**9, s.st_ctime_ns % 10**9, s.st_mode, s.st_nlink,
        s.st_uid, s.st_gid, 0, 4096, 0)
def valid(): return int(keep), int(keep % 1 * 1e9)
def entry(f):
    n = node(f); v, ns = valid()
    return struct.pack("<QQQQII", n, 0, v, v, ns, ns) + attr(os.fstat(nodes[n]))
def attrout(n):
    v, ns = valid()
    return struct.pack("<QII", v, ns, 0) + attr(os.fstat(nodes[n]))
def real(n): return f"/proc/self/fd/{nodes[n]}"
def names(b): return [x for x in b.split(b"\0") if x]
def reply(u, err, data=b""):
    try: os.write(fd, struct.pack("<IiQ", 16 + len(data), -err, u) + data)
    except OSError: pass
def rename2(a, x, b, y, flags):
    if flags & 2 and "noexchange" in options: raise OSError(errno.EINVAL, "")
    if libc.renameat2(a, x, b, y, flags): raise OSError(ctypes.get_errno(), "")
while True:
    try: buf = os.read(fd, 1 << 20)
    except OSError as e: break
    length, op, u, n, uid, gid, pid, _ = struct.unpack("<IIQQIIII", buf[:40]); b = buf[40:length]
    try:
        if "stale" in options and op in (3, 4, 14, 15, 16, 20) and n in nodes and os.fstat(nodes[n]).st_nlink == 0: raise OSError(errno.ESTALE, "")
        if op == 26: reply(u, 0, struct.pack("<IIIIHHII", 7, 31, 1 << 17, 1 << 10, 0, 0, 1 << 17, 1).ljust(64, b"\0"))
        elif op in (2, 42, 36): pass
        elif op == 1: reply(u, 0, entry(os.open(names(b)[0], P, dir_fd=nodes[n])))
        elif op == 3: reply(u, 0, attrout(n))
        elif op == 4:
            v, _, fh, size = struct.unpack("<IIQQ", b[:24]); mode = struct.unpack("<I", b[68:72])[0]
            if v & 1: os.chmod(real(n), mode & 0o7777)
            if v & 8: os.truncate(real(n), size)
            reply(u, 0, attrout(n))
        elif op == 14:
            flags = struct.unpack("<I", b[:4])[0]
            reply(u, 0, struct.pack("<QII", os.open(real(n), flags & (os.O_ACCMODE | os.O_TRUNC)), direct, 0))
        elif op == 35:
            flags, mode = struct.unpack("<II", b[:8]); name = names(b[16:])[0]
            f = os.open(name, (flags & (os.O_ACCMODE | os.O_EXCL | os.O_TRUNC)) | os.O_CREAT | os.O_NOFOLLOW, mode & 0o7777, dir_fd=nodes[n])
            reply(u, 0, entry(os.open(name, P, dir_fd=nodes[n])) + struct.pack("<QII", f, direct, 0))
        elif op == 15:
            fh, off, size = struct.unpack("<QQI", b[:20]); reply(u, 0, os.pread(fh, size, off))
        elif op == 16:
            fh, off, size = struct.unpack("<QQI", b[:20]); reply(u, 0, struct.pack("<II", os.pwrite(fh, b[40:40 + size], off), 0))
        elif op == 17: reply(u, 0, struct.pack("<QQQQQIIII24s", 1 << 20, 1 << 19, 1 << 19, 1 << 20, 1 << 19, 4096, 255, 4096, 0, b""))
        elif op == 18: os.close(struct.unpack("<Q", b[:8])[0]); reply(u, 0)
        elif op == 20: os.fsync(struct.unpack("<Q", b[:8])[0]); reply(u, 0)
        # What is in a folder is remembered as long as its time: FOPEN_CACHE_DIR, FOPEN_KEEP_CACHE.
        elif op == 27: reply(u, 0, struct.pack("<QII", 0, 10 if keep else 0, 0))
        elif op == 28:
            fh, off, size = struct.unpack("<QQI", b[:20]); listed = b""
            for place, name in enumerate([".", ".."] + sorted(os.listdir(real(n)))):
                name = os.fsencode(name); part = struct.pack("<QQII", 1 + place, 1 + place, len(name), 0) + name
                part = part.ljust(-(-len(part) // 8) * 8, b"\0")
                if place >= off and len(listed) + len(part) <= size: listed += part
            reply(u, 0, listed)
        elif op in (25, 29, 30): reply(u, 0)
        elif op == 9: os.mkdir(names(b[8:])[0], 0o700, dir_fd=nodes[n]); reply(u, 0, entry(os.open(names(b[8:])[0], P, dir_fd=nodes[n])))
        elif op == 10: os.unlink(names(b)[0], dir_fd=nodes[n]); reply(u, 0)
        elif op == 12:
            x, y = names(b[8:]); rename2(nodes[n], x, nodes[struct.unpack("<Q", b[:8])[0]], y, 0); reply(u, 0)
        elif op == 45:
            d, flags = struct.unpack("<QI", b[:12]); x, y = names(b[16:]); rename2(nodes[n], x, nodes[d], y, flags); reply(u, 0)
        elif op == 13:
            old = struct.unpack("<Q", b[:8])[0]; os.link(real(old), names(b[8:])[0], dst_dir_fd=nodes[n], follow_symlinks=True)
            reply(u, 0, entry(os.open(names(b[8:])[0], P, dir_fd=nodes[n])))
        elif op in (32, 33):
            fh, owner, s, e, kind, p, flags = struct.unpack("<QQQQIII", b[:44])
            fcntl.flock(fh, fcntl.LOCK_UN if kind == 2 else (fcntl.LOCK_EX if kind == 1 else fcntl.LOCK_SH) | fcntl.LOCK_NB); reply(u, 0)
        else: reply(u, errno.ENOSYS)
    except OSError as e: reply(u, e.errno or errno.EIO)
    except BlockingIOError: reply(u, errno.EAGAIN)
