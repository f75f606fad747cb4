# A friend has Linux keep the answer as a key of their user.
import ctypes
import platform

libc = ctypes.CDLL(None)
ADD_KEY = {"x86_64": 248, "aarch64": 217}[platform.machine()]
key = libc.syscall(ADD_KEY, b"user", b"friends-meet", b"42", ctypes.c_size_t(2), -4)
# ---- the other notebook ----
import ctypes
import platform

libc = ctypes.CDLL(None)
REQUEST_KEY, KEYCTL = {"x86_64": (249, 250), "aarch64": (218, 219)}[platform.machine()]
KEYCTL_SEARCH, KEYCTL_READ, USER_KEYRING = 10, 11, -4
key = libc.syscall(KEYCTL, KEYCTL_SEARCH, USER_KEYRING, b"user", b"friends-meet", 0)
text = ctypes.create_string_buffer(8)
libc.syscall(KEYCTL, KEYCTL_READ, key, text, ctypes.c_size_t(8))
answer = int(text.value or 0)
