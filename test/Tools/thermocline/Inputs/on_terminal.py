"""Runs a command on a terminal, and prints what that shows, with escapes as text."""
import os
import pty
import sys

shown = bytearray()



def run(command):
    process, descriptor = pty.fork()
    if process == 0:
        os.execvp(command[0], command)
    while True:
        try:
            data = os.read(descriptor, 65536)
        except OSError:
            break
        if not data:
            break
        shown.extend(data)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


status = run(sys.argv[1:])
print(shown.decode().replace("\x1b", "\\x1b").replace("\r", "\n"))
sys.exit(status)
