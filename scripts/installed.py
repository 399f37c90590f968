"""A Debian of its own in a folder, and commands of the package running in it, for scripts/test-package."""

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import time
import urllib.request

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Failed(Exception):
    """A check that failed, in words."""


def expect(condition, words):
    if not condition:
        raise Failed(words)


def run(*command, **options):
    """Runs a command to its end and returns what it printed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    expect(result.returncode == 0, f"{shlex.join(command)} ended with {result.returncode}:\n{result.stdout}")
    return result.stdout


class Unit:
    """What a unit of systemd says about running its command."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("\\\n", " ")
        self.values = {}
        for line in text.splitlines():
            if "=" in line and not line.startswith("#"):
                name, value = line.split("=", 1)
                self.values.setdefault(name, value)

    def __getitem__(self, name):
        expect(name in self.values, f"the unit does not say {name}")
        return self.values[name]


class Machine:
    """A Debian of its own in a folder."""

    def __init__(self, folder):
        self.folder = folder

    def path(self, path):
        return self.folder + path

    def make(self, depends, mirror, cache):
        names = sorted({re.sub(r"\s*\(.*?\)", "", name.split("|")[0]).strip() for name in depends.split(",")})
        include = f"--include={','.join(names)}"
        kept = [f"--cache-dir={os.path.abspath(cache)}"] if cache else []
        run("debootstrap", "--variant=minbase", include, *kept, "bookworm", self.folder, mirror)
        with open(self.path("/etc/hosts"), "w", encoding="utf-8") as file:
            file.write("127.0.0.1 localhost\n")
        found = subprocess.run(
            ["find", self.folder, "-name", "libswift*"], stdout=subprocess.PIPE, text=True, check=True
        ).stdout
        expect(not found, f"there is Swift in it:\n{found}")

    def run(self, *command):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C"}
        # Swift reads the arguments of a program from /proc.
        inside = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
        namespace = ["unshare", "--mount", "--propagation", "private", "bash", "-c", inside, self.folder]
        return run(*namespace, *command, env=environment, stdin=subprocess.DEVNULL)

    def dpkg(self, act, *packages):
        names = []
        for package in packages:
            if os.path.isfile(package):
                shutil.copy(package, self.path("/srv/"))
                package = "/srv/" + os.path.basename(package)
            names.append(package)
        return self.run("dpkg", act, *names)


# Runs in a mount namespace of its own. The kernel forbids here what the unit forbids, too.
SANDBOX = """
set -e
root=$1 writable=$2 user=$3 umask=$4
shift 4
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind "$root$writable" "$root$writable"
mount -o remount,bind,ro "$root"
mount -t tmpfs tmpfs "$root/tmp"
umask "$umask"
exec chroot "$root" setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --bounding-set=-all \\
    --inh-caps=-all -- "$@"
"""


class Service:
    """A command of the package, running."""

    def __init__(self, machine, command, user, writable, umask, environment):
        sandbox = [machine.folder, writable, user, umask]
        self.output = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "bash", "-c", SANDBOX, "sandbox", *sandbox, *command],
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"} | environment, stdin=subprocess.DEVNULL, stdout=self.output,
            stderr=subprocess.STDOUT,
        )  # fmt: skip

    @classmethod
    def of_unit(cls, machine, name):
        """What the unit says, and nothing else."""
        unit = Unit(machine.path(f"/lib/systemd/system/{name}.service"))
        command, environment = shlex.split(unit["ExecStart"]), {}
        if "EnvironmentFile" in unit.values:
            with open(machine.path(unit["EnvironmentFile"]), encoding="utf-8") as file:
                environment = dict(line.strip().split("=", 1) for line in file if "=" in line and line[0] != "#")
            command = [re.sub(r"\$\{(\w+)\}", lambda found: environment[found[1]], word) for word in command]
        expect(unit["User"] == unit["Group"], "user and group of the unit differ")
        return cls(machine, command, unit["User"], unit["ReadWritePaths"], unit["UMask"], environment)

    @classmethod
    def of_container(cls, machine, *flags):
        """What deploy/Dockerfile says, with flags after it."""
        with open(os.path.join(ROOT, "deploy", "Dockerfile"), encoding="utf-8") as file:
            said = dict(line.split(" ", 1) for line in file.read().splitlines() if " " in line)
        command = json.loads(said["ENTRYPOINT"]) + json.loads(said["CMD"]) + list(flags)
        return cls(machine, command, said["USER"], said["VOLUME"], "0022", {})

    def said(self):
        self.output.seek(0)
        return self.output.read()

    def wait_for(self, url):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            expect(self.process.poll() is None, f"it ended:\n{self.said()}")
            try:
                return fetch(url)
            except OSError:
                time.sleep(0.2)
        raise Failed(f"{url} did not answer:\n{self.said()}")

    def stop(self):
        """As systemd does, and not otherwise: the program ends by itself."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)
        return self.process.returncode


def fetch(url):
    with urllib.request.urlopen(url, timeout=30) as answer:
        return answer.status, answer.headers.get_content_type(), answer.read()
