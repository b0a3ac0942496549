"""Programs in real pseudo-terminals, and pictures of what they print. `still` and `story` draw with it."""
import codecs
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
from html import escape

SETTINGS = """{
  // louder than this wakes the neighbours
  "volume": 0.5
}
"""
CLASSES = {"36": "key", "32": "value", "2": "faint", "1": "strong", "33": "warning", "31": "error"}
WIDTH, LEFT, LINE = 640, 18, 26
COLUMNS, SIZE, COLUMN = 54, 18, 10.84  # Large enough to be read at 360 points, on a telephone.

LIGHT = {
    "page": "#f6f8fa", "line": "#d1d9e0", "plain": "#1f2328", "key": "#0550ae", "value": "#116329", "faint": "#59636e",
    "warning": "#7d4e00", "error": "#a40e26", "mark": "#fff8c5"}
DARK = {
    "page": "#0d1117", "line": "#3d444d", "plain": "#e6edf3", "key": "#79c0ff", "value": "#7ee787", "faint": "#9198a1",
    "warning": "#d29922", "error": "#ff7b72", "mark": "#4b3a0c"}


class Terminal:
    """A program in a pseudo-terminal, and what it has printed there."""

    def __init__(self, words, environment, folder, columns=COLUMNS, rows=24):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(words, env=environment, cwd=folder, stdin=slave, stdout=slave, stderr=slave)
        os.close(slave)
        self.text, self.seen = "", 0
        self.decoder = codecs.getincrementaldecoder("utf-8")()  # A character may come in two pieces.

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.kill()
        self.process.wait()
        os.close(self.master)

    def lines(self):
        return self.text.split("\n")[:-1]

    def type(self, text):
        os.write(self.master, text.encode())

    def wait_for(self, text):
        """Waits until it has printed this after what was waited for before."""
        while (at := self.text.find(text, self.seen)) < 0:
            if not self.read():
                sys.exit("the program has ended early: " + self.text)
        self.seen = at + len(text)

    def prints_within(self, seconds):
        return bool(select.select([self.master], [], [], seconds)[0])

    def read_to_end(self):
        while self.read():
            pass
        if self.process.wait() != 0:
            sys.exit("the program has failed: " + self.text)
        return self.lines()

    def read(self):
        """More of what it prints; false at its end."""
        if not select.select([self.master], [], [], 60)[0]:
            sys.exit("the program prints nothing: " + self.text)
        try:
            more = os.read(self.master, 65536)
        except OSError:  # The other side is closed.
            return False
        self.text = (self.text + self.decoder.decode(more)).replace("\r\n", "\n")
        return more != b""


def environment(home, **more):
    return {"HOME": home, "PATH": "/usr/bin:/bin", "TERM": "xterm", "TZ": "UTC", "LC_ALL": "C.UTF-8", **more}


def save(path, text):
    """Saves as most editors do: a new file under the old name."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.rename(path + ".new", path)


def drawn(line, y, kind=""):
    """A line of the terminal; each run of words stands where it stood there, whatever the font and the viewer."""
    at, runs = 0, []
    for part in re.split(r"(\x1b\[\d*m)", line):
        if colour := re.fullmatch(r"\x1b\[(\d*)m", part):
            kind = CLASSES.get(colour.group(1), "")
        else:
            # Several spaces in a row are one in some viewers.
            runs += [(at + run.start(), kind, run.group()) for run in re.finditer(r"\S+(?: \S+)*", part)]
            at += len(part)
    return "".join(
        f'  <text x="{round(LEFT + at * COLUMN, 1)}" y="{y}" class="{kind}">{escape(words)}</text>\n'
        for at, kind, words in runs)


def rules(colours):
    """The colours of one scheme as style rules."""
    lines = [f"text {{ fill: {colours['plain']}; }}", f".frame {{ fill: none; stroke: {colours['line']}; }}"]
    lines += [f".{kind} {{ fill: {colour}; }}" for kind, colour in colours.items() if kind not in ("plain", "line")]
    return "\n    ".join(lines)


def fonts():
    return f'text {{ font: {SIZE}px ui-monospace, "DejaVu Sans Mono", monospace; }}\n    .strong {{ font-weight: 600; }}'


def frame(top, height, kind=""):
    return f'  <rect x="0.5" y="{top + 0.5}" width="{WIDTH - 1}" height="{height - 1}" rx="8" class="frame {kind}"/>\n'


def document(title, description, height, style, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        'role="img" aria-labelledby="t d">\n'
        f'  <title id="t">{title}</title>\n'
        f'  <desc id="d">{escape(description)}</desc>\n'
        f"  <style>\n    {style}\n  </style>\n{body}</svg>\n")
