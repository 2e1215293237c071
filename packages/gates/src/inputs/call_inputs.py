"""Calls functions of a Python project, and writes down what came of each.

Arguments: a file with {"roots": [...], "texts": {"path": "text" or null}, "calls": [[module, name, made, args], ...]}, and
the file for the answers, one JSON line for each call: ["value", value], ["threw", words] or ["none", why]. Files that are
in "texts" are loaded from there.
"""
import collections.abc
import importlib
import importlib.machinery
import itertools
import json
import math
import os
import re
import signal
import sys

CALL_SECONDS, ENDLESS_MAX, DEPTH_MAX, ITEMS_MAX, CHARS_MAX = 0.25, 8, 12, 1_000, 20_000
BYTES_MAX = 4 * 1024**3
SIMPLE = (type(None), bool, str)


class Endless(BaseException):
    """A call that used up its time on the processor."""


def stop(*_):
    raise Endless


def decoded(value):
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    if list(value) == ['$tuple']:
        return tuple(decoded(each) for each in value['$tuple'])
    if list(value) == ['$dict']:
        return {decoded(key): decoded(each) for key, each in value['$dict']}
    return {key: decoded(each) for key, each in value.items()}


def encoded(value, depth=0):
    if depth > DEPTH_MAX:
        return '…'
    if isinstance(value, SIMPLE):
        return value if not isinstance(value, str) else str(value)[:CHARS_MAX]
    if isinstance(value, (int, float)):
        plain = abs(value) <= 2**53 if isinstance(value, int) else math.isfinite(value)
        return value + 0 if plain else {'$number': str(value)[:CHARS_MAX]}
    inside = lambda items: [encoded(each, depth + 1) for each in itertools.islice(items, ITEMS_MAX)]
    if isinstance(value, list):
        return inside(value)
    if isinstance(value, tuple):
        return {'$tuple': inside(value)}
    if isinstance(value, (set, frozenset)):
        return {'$set': sorted(inside(value), key=json.dumps)}
    if isinstance(value, dict):
        if all(isinstance(key, str) and not key.startswith(('$', '__')) for key in value):
            return {key: encoded(each, depth + 1) for key, each in value.items()}
        return {'$dict': sorted(([encoded(k, depth + 1), encoded(v, depth + 1)] for k, v in value.items()), key=json.dumps)}
    if isinstance(value, collections.abc.Iterator):
        return {'$items': inside(value)}
    fields = getattr(value, '__dict__', None)
    if isinstance(fields, dict) and fields:
        return {f'${type(value).__name__}': encoded(dict(fields), depth + 1)}
    return {'$text': re.sub(r' at 0x[0-9a-fA-F]+', '', repr(value))[:CHARS_MAX]}


def load_from(texts):
    """Has modules loaded from these texts, in place of their files."""
    here = os.getcwd()
    by_path = {os.path.realpath(os.path.join(here, path)): text for path, text in texts.items()}
    plain = importlib.machinery.SourceFileLoader.get_code

    def get_code(self, fullname):
        path = os.path.realpath(self.get_filename(fullname))
        if path not in by_path:
            return plain(self, fullname)
        if by_path[path] is None:
            raise ImportError(f'there is no {fullname}')
        return compile(by_path[path], path, 'exec', dont_inherit=True)

    importlib.machinery.SourceFileLoader.get_code = get_code


def function_of(module, name, made, args):
    """The function, and the arguments that are left for it."""
    first, *rest = name.split('.')
    found = getattr(importlib.import_module(module), first)
    if made is not None:
        found = called(found, args[:made])
        args = args[made:]
    for part in rest:
        found = getattr(found, part)
    return found, args


def called(act, args):
    args = [decoded(each) for each in args]
    named = args.pop()['$named'] if args and isinstance(args[-1], dict) and list(args[-1]) == ['$named'] else {}
    return act(*args, **named)


def once(module, name, made, args):
    try:
        signal.setitimer(signal.ITIMER_PROF, CALL_SECONDS, CALL_SECONDS)
        try:
            act, left = function_of(module, name, made, args)
        except (AttributeError, ImportError, SyntaxError) as error:
            return ['none', f'it is not there: {error}'[:300]]
        if not callable(act):
            return ['none', 'there is no such function']
        value = called(act, left)
        if isinstance(value, collections.abc.Coroutine):
            value.close()
            return ['none', 'it is not called at once']
        return ['value', encoded(value)]
    except Endless:
        return ['none', 'it did not end in time']
    except BaseException as error:
        return ['threw', f'{type(error).__name__}: {error}'[:300]]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def answer(call):
    """Twice: what answers differently each time says nothing."""
    first = once(*call)
    if first[0] == 'none' or once(*call) == first:
        return first
    return ['none', 'it answers differently each time']


def main(order_file, answer_file):
    with open(order_file) as file:
        order = json.load(file)
    sys.dont_write_bytecode = True
    sys.path[0:1] = [os.path.join(os.getcwd(), root) for root in order['roots']]
    load_from(order['texts'])
    signal.signal(signal.SIGPROF, stop)
    try:
        import resource
        resource.setrlimit(resource.RLIMIT_AS, (BYTES_MAX, BYTES_MAX))
    except (ImportError, ValueError, OSError):
        pass
    endless = 0
    with open(answer_file, 'w') as out:
        for call in order['calls']:
            found = ['none', 'too many calls did not end'] if endless >= ENDLESS_MAX else answer(call)
            endless += found == ['none', 'it did not end in time']
            out.write(json.dumps(found) + '\n')
            out.flush()


main(sys.argv[1], sys.argv[2])
