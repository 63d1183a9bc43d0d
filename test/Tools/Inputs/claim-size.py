"""claim-size.py FILE SECTION: lets a compressed section of an ELF file claim to have 2^44 bytes."""

import struct
import sys

path, wanted = sys.argv[1:]
with open(path, "rb") as file:
    data = bytearray(file.read())
offset, = struct.unpack_from("<Q", data, 0x28)
size, count, names = struct.unpack_from("<HHH", data, 0x3a)
headers = [struct.unpack_from("<IIQQQQ", data, offset + i * size) for i in range(count)]
for name, _, _, _, begin, _ in headers:
    at = headers[names][4] + name
    if data[at:data.index(b"\0", at)].decode() == wanted:
        struct.pack_into("<Q", data, begin + 8, 2 ** 44)
        break
else:
    sys.exit(f"{path}: no section {wanted}")
with open(path, "wb") as file:
    file.write(data)
