"""Run in every Python process of a run, before everything else: notes which file each module came from."""
import json
import os
import sys
import time

_lines_max = 20000


def _open_notes(here):
    with open(os.path.join(here, "root"), encoding="utf8") as file:
        root = os.path.realpath(file.read())
    name = "%d-py-%d" % (os.getpid(), time.monotonic_ns())
    out = os.open(os.path.join(here, "out", name), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    return root, out


def _asked(here):
    rest = [each for each in os.environ.get("PYTHONPATH", "").split(":") if each and each != here]
    names = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "PYTHONSTARTUP", "PYTHONHOME")
    options = ["%s=%s" % (name, os.environ[name]) for name in names if os.environ.get(name)]
    program = "python %d.%d.%d" % sys.version_info[:3]
    return {"program": program, "options": options, "paths": ":".join(rest)}


def note_loads(here):
    root, out = _open_notes(here)
    owner = os.getpid()
    known = set()

    def write(line):
        if len(known) >= _lines_max or os.getpid() != owner:
            return
        text = json.dumps(line)
        if text in known:
            return
        known.add(text)
        last = '["partial","too much was loaded"]'
        try:
            # At once: a worker may end without a word.
            os.write(out, ((last if len(known) == _lines_max else text) + "\n").encode())
        except OSError:
            pass

    def note(name, path):
        full = os.path.realpath(path)
        parts = full.replace(os.sep, "/").split("/")
        for folder in ("site-packages", "dist-packages"):
            if folder in parts[:-1]:
                package = os.path.splitext(parts[parts.index(folder) + 1])[0]
                write(["package", package, ""])
                if "." not in name:
                    write(["module", name, full])
                return
        write(["module", name, full])

    def hook(event, args):
        if event != "exec" or not args:
            return
        code = args[0]
        if getattr(code, "co_name", None) != "<module>" or not str(code.co_filename).endswith((".py", ".pyc")):
            return
        # The frame that executes a module: its globals are the module's own.
        frame = sys._getframe(1)
        name = None
        for _ in range(4):
            if frame is None:
                break
            module = frame.f_locals.get("module")
            spec = getattr(module, "__spec__", None)
            if spec is not None:
                name = spec.name
                break
            frame = frame.f_back
        try:
            note(name or code.co_filename, code.co_filename)
        except Exception:
            pass

    write(["asked", _asked(here)])
    sys.addaudithook(hook)
