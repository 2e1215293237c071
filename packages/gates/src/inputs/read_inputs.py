"""The calls in Python tests whose arguments are written out, and the values that sources write. Nothing is run.

JSON on stdin: {"tests": {"path": "text"}, "sources": {"path": "text"}, "changes": [["before", "after"], ...]}, where a
text may be null. JSON on stdout: {"calls": [[file, module, root, name, made, args], ...], "imports": {"path": [path]},
"written": [[[value, ...], [value, ...]], ...]}. Values are as `encoded` gives them; a call with keywords has them as its
last argument.
"""
import ast
import json
import posixpath
import re
import sys

CALLS_MAX, ROWS_MAX, ITEMS_MAX, CHARS_MAX, VALUES_MAX = 400, 60, 200, 10_000, 20_000
ROOTS = ['', 'src', 'lib', 'python']
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


class Unwritten(Exception):
    """An expression whose value is not written out."""


class Named(dict):
    """The keywords of a call."""


def encoded(value):
    if isinstance(value, Named):
        return {'$named': encoded(dict(value))}
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int) and abs(value) <= 2**53:
        return value
    if isinstance(value, float) and value == value and abs(value) < 1e300:
        return value
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if isinstance(value, tuple):
        return {'$tuple': [encoded(each) for each in value]}
    if isinstance(value, dict):
        if all(isinstance(key, str) and not key.startswith(('$', '__')) for key in value):
            return {key: encoded(each) for key, each in value.items()}
        return {'$dict': [[encoded(key), encoded(each)] for key, each in value.items()]}
    raise Unwritten


def computed(operator, left, right):
    numbers = all(isinstance(each, (int, float)) for each in (left, right))
    if isinstance(operator, ast.Add) and type(left) is type(right) and isinstance(left, (str, list, tuple)):
        return left + right
    if isinstance(operator, ast.Mult) and isinstance(left, (str, list)) and isinstance(right, int):
        if 0 <= right * len(left) <= CHARS_MAX:
            return left * right
    if not numbers:
        raise Unwritten
    if isinstance(operator, ast.Add):
        return left + right
    if isinstance(operator, ast.Sub):
        return left - right
    if isinstance(operator, ast.Mult):
        return left * right
    if isinstance(operator, ast.Div) and right:
        return left / right
    if isinstance(operator, ast.Pow) and abs(left) < 1000 and 0 <= right < 64:
        return left**right
    raise Unwritten


def written(node, known):
    if isinstance(node, ast.Constant):
        if isinstance(node.value, (bytes, complex)) or node.value is ...:
            raise Unwritten
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        value = written(node.operand, known)
        if isinstance(value, (int, float)):
            return -value if isinstance(node.op, ast.USub) else value
    if isinstance(node, ast.BinOp):
        return computed(node.op, written(node.left, known), written(node.right, known))
    if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) <= ITEMS_MAX:
        items = [written(each, known) for each in node.elts]
        return items if isinstance(node, ast.List) else tuple(items)
    if isinstance(node, ast.Dict) and None not in node.keys and len(node.keys) <= ITEMS_MAX:
        keys = [written(each, known) for each in node.keys]
        if all(isinstance(key, (str, int, float, bool, type(None))) for key in keys):
            return dict(zip(keys, (written(each, known) for each in node.values)))
    if isinstance(node, ast.Subscript):
        try:
            return written(node.value, known)[written(node.slice, known)]
        except (TypeError, KeyError, IndexError):
            raise Unwritten from None
    raise Unwritten


def or_none(node, known):
    try:
        return [written(node, known)]
    except Unwritten:
        return None


def constants(tree):
    """Names that are given a value once in the file, one that is written out."""
    found, twice = {}, set()
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Assign):
            names = [each for each in node.targets if isinstance(each, ast.Name)]
        elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and isinstance(node.target, ast.Name):
            names = [node.target]
        for name in names:
            value = or_none(node.value, found) if node.value is not None else None
            if name.id in found or isinstance(node, ast.AugAssign):
                twice.add(name.id)
            elif value is not None:
                found[name.id] = value[0]
    return {name: value for name, value in found.items() if name not in twice}


def bound(target, value, known):
    if isinstance(target, ast.Name):
        known[target.id] = value
    elif isinstance(target, (ast.Tuple, ast.List)) and isinstance(value, (list, tuple)):
        for each, item in zip(target.elts, value):
            bound(each, item, known)


def rows_of(node, known):
    """Items that a loop goes through, as values."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == 'items':
        table = or_none(node.func.value, known)
        return list(table[0].items()) if table and isinstance(table[0], dict) else []
    value = or_none(node, known)
    if value is None or not isinstance(value[0], (list, tuple, dict)):
        return []
    return list(value[0])[:ROWS_MAX]


def parameters(node, known):
    """Rows of `pytest.mark.parametrize`: what each gives its names."""
    if not (isinstance(node, ast.Call) and len(node.args) > 1 and ast.unparse(node.func).endswith('parametrize')):
        return []
    names = or_none(node.args[0], known)
    if names is None or not isinstance(node.args[1], (ast.List, ast.Tuple, ast.Name)):
        return []
    names = re.split(r'\s*,\s*', names[0].strip()) if isinstance(names[0], str) else list(names[0])
    rows = []
    for each in getattr(node.args[1], 'elts', None) or []:
        if isinstance(each, ast.Call) and ast.unparse(each.func).endswith('param'):
            each = each.args[0] if len(names) == 1 and each.args else ast.Tuple(each.args, ast.Load())
        rows.append(or_none(each, known))
    if isinstance(node.args[1], ast.Name):
        rows = [[each] for each in rows_of(node.args[1], known)]
    found = []
    for row in rows[:ROWS_MAX]:
        if row is None:
            continue
        if len(names) == 1:
            found.append({names[0]: row[0]})
        elif isinstance(row[0], (list, tuple)):
            found.append(dict(zip(names, row[0])))
    return found


class Tree:
    """Which file a module is, among the sources of the project."""

    def __init__(self, paths):
        self.paths = set(paths)

    def at(self, root, parts):
        stem = posixpath.join(root, *parts)
        return next((path for path in (f'{stem}.py', f'{stem}/__init__.py') if path in self.paths), None)

    def find(self, path, module, level):
        """File, name and root of a module that a file asks for; none if it is not of the project."""
        parts = [part for part in module.split('.') if part]
        if level:
            folder = path
            for _ in range(level):
                folder = posixpath.dirname(folder)
            root, above = folder, []
            while root and f'{root}/__init__.py' in self.paths:
                above.insert(0, posixpath.basename(root))
                root = posixpath.dirname(root)
            parts = above + parts
            return self.told(root, parts)
        folders, at = [], posixpath.dirname(path)
        while at:
            folders.append(at)
            at = posixpath.dirname(at)
        for root in [*ROOTS, *folders]:
            found = self.told(root, parts)
            if found:
                return found
        return self.anywhere(parts)

    def told(self, root, parts):
        file = self.at(root, parts) if parts else None
        return [file, '.'.join(parts), root] if file else None

    def anywhere(self, parts):
        """Below a folder that only a configuration names."""
        ends = ['/' + '/'.join(parts) + end for end in ('.py', '/__init__.py')] if parts else []
        found = [(path, end) for path in self.paths for end in ends if path.endswith(end)]
        return [found[0][0], '.'.join(parts), found[0][0][: -len(found[0][1])]] if len(found) == 1 else None


def imported(tree, path, files):
    """Names of a file that mean a module of the project (no name behind it) or a thing in one."""
    names = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for each in node.names:
                found = files.find(path, each.name, 0)
                if found:
                    names[each.asname or each.name] = (found, None)
        elif isinstance(node, ast.ImportFrom):
            for each in node.names:
                inner = f'{node.module}.{each.name}' if node.module else each.name
                module = files.find(path, inner, node.level)
                outer = files.find(path, node.module or '', node.level)
                if module or outer:
                    names[each.asname or each.name] = (module, None) if module else (outer, each.name)
    return names


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


class Calls:
    def __init__(self, path, tree, files):
        self.names, self.found = imported(tree, path, files), []
        known = constants(tree)
        self.objects = self.made_in(tree, known)
        self.visit(tree, known)

    def made_in(self, tree, known):
        """Names that are given an object once, made with values that are written out."""
        found, twice = {}, set()
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
                continue
            name = node.targets[0].id
            if name in found:
                twice.add(name)
            elif isinstance(node.value, ast.Call):
                found[name] = self.made_by(node.value, known)
        return {name: made for name, made in found.items() if made and name not in twice}

    def made_by(self, node, known):
        module, name, made = self.called(node.func, known, {})
        try:
            return (module, name, given(node, known)) if module and made is None and '.' not in name else None
        except Unwritten:
            return None

    def visit(self, node, known):
        if len(self.found) >= CALLS_MAX:
            return
        if isinstance(node, FUNCTIONS):
            rows = [row for each in node.decorator_list for row in parameters(each, known)]
            for row in rows or [{}]:
                self.inside(node, {**known, **row})
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            for row in rows_of(node.iter, known) or [None]:
                names = dict(known)
                if row is not None:
                    bound(node.target, row, names)
                self.inside(node, names)
        elif isinstance(node, LOOPS) and len(node.generators) == 1:
            for row in rows_of(node.generators[0].iter, known) or [None]:
                names = dict(known)
                if row is not None:
                    bound(node.generators[0].target, row, names)
                self.inside(node, names)
        else:
            if isinstance(node, ast.Call):
                self.call(node, known)
            self.inside(node, known)

    def inside(self, node, known):
        for child in ast.iter_child_nodes(node):
            self.visit(child, known)

    def call(self, node, known):
        module, name, made = self.called(node.func, known, self.objects)
        if module is None:
            return
        try:
            args = [encoded(each) for each in [*(made or []), *given(node, known)]]
        except Unwritten:
            return
        if args:
            self.found.append([*module, name, None if made is None else len(made), args])

    def called(self, func, known, objects):
        """The module, the name in it, and what an object is made with if a method of one is called."""
        if isinstance(func, ast.Attribute):
            inner, made = func.value, None
            if isinstance(inner, ast.Call):
                made = self.made_by(inner, known)
            elif isinstance(inner, ast.Name):
                made = objects.get(inner.id)
            if made:
                return made[0], f'{made[1]}.{func.attr}', made[2]
        parts = dotted(func)
        for count in range(len(parts), 0, -1):
            module, name = self.names.get('.'.join(parts[:count]), (None, None))
            rest = [*([name] if name else []), *parts[count:]]
            if module and 0 < len(rest) <= 2:
                return module, '.'.join(rest), None
        return None, '', None


def given(node, known):
    if any(isinstance(each, ast.Starred) for each in node.args) or any(not each.arg for each in node.keywords):
        raise Unwritten
    args = [written(each, known) for each in node.args]
    named = {each.arg: written(each.value, known) for each in node.keywords}
    return [*args, Named(named)] if named else args


def values_in(text):
    """What a source writes: values, lists and tables of them, and numbers in a text that holds several."""
    tree = parsed(text)
    found = []
    texts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)} if tree else set()
    for node in ast.walk(tree) if tree else []:
        if len(found) > VALUES_MAX:
            break
        if id(node) in texts or not isinstance(node, (ast.Constant, ast.UnaryOp, ast.List, ast.Tuple, ast.Dict)):
            continue
        value = or_none(node, {})
        try:
            found.extend(encoded(each) for each in value or [])
        except Unwritten:
            continue
        if value and isinstance(value[0], str):
            parts = [part for part in re.split(r'[^\w.-]+', value[0]) if part]
            numbers = [part for part in parts if re.fullmatch(r'-?\d+(\.\d+)?', part)]
            found.extend(float(part) for part in numbers if len(parts) > 1)
    return found


def parsed(text):
    try:
        return ast.parse(text or '')
    except (SyntaxError, ValueError, RecursionError):
        return None


def imports_of(path, text, files):
    tree = parsed(text)
    return sorted({module[0] for module, _ in imported(tree, path, files).values() if module}) if tree else []


def main():
    given_texts = json.load(sys.stdin)
    files = Tree(given_texts['sources'])
    calls = []
    for path, text in given_texts['tests'].items():
        tree = parsed(text)
        if tree is not None:
            calls.extend(Calls(path, tree, files).found)
    json.dump({
        'calls': calls,
        'imports': {path: imports_of(path, text, files) for path, text in given_texts['sources'].items()},
        'written': [[values_in(text) for text in change] for change in given_texts['changes']],
    }, sys.stdout)


main()
