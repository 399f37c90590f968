"""Runs a program in a terminal of its own: for ssh, sudo and age, which talk to nothing else.

  terminal.py PROGRAM [ARGUMENT ...]

What the program shows goes to standard output as it comes. A line of standard input is typed. Ends with the program's code.
"""

import os
import pty
import select
import sys

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
sources = [terminal, 0]
while True:
    readable, _, _ = select.select(sources, [], [])
    if 0 in readable:
        typed = os.read(0, 1024)
        if typed:
            os.write(terminal, typed.replace(b"\n", b"\r"))
        else:
            sources.remove(0)
    if terminal in readable:
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            break
        if not shown:
            break
        os.write(1, shown)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
