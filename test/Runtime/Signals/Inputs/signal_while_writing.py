"""usage: signal_while_writing.py SIGNAL PROGRAM

Runs a program that writes its profile as text to standard output, a pipe with less room than the
profile takes. So the program waits in the midst of writing when it is sent the signal (0 is none).
Prints how it ended, and how many contexts the profile has.
"""

import fcntl
import os
import signal
import subprocess
import sys

number = int(sys.argv[1])
options = "test_clock=1:log_path=stdout:print_text=1:print_terse=1"
# nohup has programs ignore SIGHUP.
if number:
    signal.signal(number, signal.SIG_DFL)
# Of its size before anything is in it.
reading, writing = os.pipe()
fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)
program = subprocess.Popen([sys.argv[2]], stdout=writing,
                           env=dict(os.environ, MEMPROF_OPTIONS=options))
os.close(writing)
with open(reading, "rb", buffering=0) as pipe:
    text = pipe.read(1)
    if number:
        os.kill(program.pid, number)
    text += pipe.read()
status = program.wait()
names = {each.value: each.name for each in signal.Signals}
end = names.get(-status, f"signal {-status}") if status < 0 else f"status {status}"
print(f"{end}: {text.count(b'MIB:')} contexts")
