"""Asks shells what they complete, with the files that a package brings."""

import os
import pty
import re
import select
import shlex
import subprocess
import time

from installed import Failed, expect, run

# What is typed in a folder that has a folder `usr`, and what has to be offered for it.
WANTED = (("countersign wal", "wallet"), ("countersign wallet vau", "vault"), ("countersign verify --maxi", "--maximum-age"),
          ("countersign verify us", "usr"), ("countersign verify usr --trust us", "usr"))


def check(folder, program):
    """Bash, zsh and fish complete commands, options and files. The folder is the package's, unpacked."""
    share = os.path.join(folder, "usr/share")
    # Scripts ask the program itself for some words.
    environment = {**os.environ, "PATH": f"{os.path.dirname(program)}:{os.environ['PATH']}", "HOME": folder, "TERM": "dumb"}
    for typed, wanted in WANTED:
        for ask in (bash, zsh, fish):
            offered = {word.rstrip("/") for word in ask(share, typed, {"cwd": folder, "env": environment})}
            expect(wanted in offered, f"{ask.__name__} offers for '{typed}', where {wanted} belongs: {sorted(offered)}")


def bash(share, typed, place):
    words = typed.split()
    script = f"""
        source {shlex.quote(os.path.join(share, "bash-completion/completions/countersign"))}
        COMP_LINE={shlex.quote(typed)} COMP_POINT={len(typed)} COMP_WORDS=({shlex.join(words)}) COMP_CWORD={len(words) - 1}
        "$(complete -p countersign | sed -n 's/.* -F \\([^ ]*\\) .*/\\1/p')" {shlex.join([words[0], words[-1], words[-2]])}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    return set(run("bash", "--norc", "-c", script, **place).split())


def fish(share, typed, place):
    script = f"source {shlex.quote(os.path.join(share, 'fish/vendor_completions.d/countersign.fish'))}; complete -C {shlex.quote(typed)}"
    return {line.split("\t")[0] for line in run("fish", "--no-config", "-c", script, **place).splitlines()}


def zsh(share, typed, place):
    """zsh completes at a terminal only: the line is typed at one, and read back when Tab has been pressed."""
    shown = f"print -r -- \"[$BUFFER]\"; BUFFER="
    lines = (
        f"fpath=({shlex.quote(os.path.join(share, 'zsh/vendor-completions'))} $fpath)",
        "autoload -Uz compinit && compinit -u -D",
        f"show() {{ {shown} }}; zle -N show; bindkey '^X' show; print -r -- rea''dy",
    )
    shell = Terminal("zsh", "-f", "-i", **place)
    try:
        shell.say("\n".join(lines) + "\n")
        shell.wait_for(r"ready\r?\n")
        shell.say(typed + "\t\x18")
        found = shell.wait_for(r"\[(countersign [^\]]*)\]")
        return set(found[1].split())
    finally:
        shell.end()


class Terminal:
    """A program at a terminal of its own."""

    def __init__(self, *command, **place):
        self.side, other = pty.openpty()
        self.process = subprocess.Popen(command, stdin=other, stdout=other, stderr=other, start_new_session=True, **place)
        os.close(other)
        self.said = ""

    def say(self, text):
        os.write(self.side, text.encode())

    def wait_for(self, pattern, seconds=60):
        end = time.monotonic() + seconds
        while not (found := re.search(pattern, self.said)):
            if not select.select([self.side], [], [], max(0, end - time.monotonic()))[0]:
                raise Failed(f"{self.process.args[0]} does not say {pattern}:\n{self.said}")
            self.said += os.read(self.side, 4096).decode(errors="replace")
        return found

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.side)
