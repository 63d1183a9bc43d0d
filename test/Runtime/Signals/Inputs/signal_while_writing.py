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
program = subprocess.Popen([sys.argv[2]], stdout=subprocess.PIPE, bufsize=0,
                           env=dict(os.environ, MEMPROF_OPTIONS=options))
fcntl.fcntl(program.stdout, fcntl.F_SETPIPE_SZ, 4096)
text = os.read(program.stdout.fileno(), 1)
if number:
    os.kill(program.pid, number)
text += program.stdout.read()
status = program.wait()
names = {each.value: each.name for each in signal.Signals}
end = names.get(-status, f"signal {-status}") if status < 0 else f"status {status}"
print(f"{end}: {text.count(b'MIB:')} contexts")
