"""Loaded into every Python process of a run, before everything else: runs what was put beside it."""
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))

for _name, _function in (("later", "move_clock"), ("note_loads", "note_loads")):
    _file = os.path.join(_here, _name + ".py")
    try:
        with open(_file, encoding="utf8") as _text:
            _space = {"__name__": _name, "__file__": _file}
            exec(compile(_text.read(), _file, "exec"), _space)
        _space[_function](_here)
    except OSError:
        pass

# The one that would have been loaded without us.
_path = sys.path
sys.path = [each for each in _path if os.path.abspath(each or ".") != _here]
_own = sys.modules.pop("sitecustomize", None)
try:
    import sitecustomize  # noqa: F401
except ImportError:
    pass
finally:
    sys.path = _path
    sys.modules.setdefault("sitecustomize", _own)
