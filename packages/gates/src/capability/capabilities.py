"""The capabilities of Python files, from the syntax tree; nothing of them is run.

JSON on stdin: {"id": "text", ...}. JSON on stdout: {"id": {"found": [[rule, what, line], ...], "imports": [...],
"statements": [[kind, text], ...]} or {"id": null} where a text does not parse.
"""
import ast
import builtins
import json
import re
import sys

MODULES = {
    'platform': 'environment', 'locale': 'environment', 'getpass': 'environment', 'site': 'module system',
    'argparse': 'arguments', 'optparse': 'arguments', 'getopt': 'arguments', 'secrets': 'randomness',
    'uuid': 'randomness', 'inspect': 'call stack', 'traceback': 'call stack', 'gc': 'engine', 'ctypes': 'engine',
    'weakref': 'engine', 'atexit': 'exit', 'signal': 'exit', 'faulthandler': 'exit', 'importlib': 'module system',
    'pkgutil': 'module system', 'zipimport': 'module system', 'builtins': 'globals', '__main__': 'globals',
    'types': 'reflection', 'runpy': 'code from text', 'code': 'code from text', 'codeop': 'code from text',
    'pickle': 'code from text', 'marshal': 'code from text', 'subprocess': 'processes',
    'multiprocessing': 'processes', 'threading': 'processes', 'asyncio': 'processes', 'concurrent': 'processes',
    'sched': 'timers', 'socket': 'network', 'urllib': 'network', 'http': 'network', 'ssl': 'network',
    'ftplib': 'network', 'smtplib': 'network', 'pathlib': 'files', 'tempfile': 'files', 'shutil': 'files',
    'glob': 'files', 'fileinput': 'files', 'linecache': 'files', 'sqlite3': 'files', 'mmap': 'files',
    'unittest': 'test runner', 'pytest': 'test runner', '_pytest': 'test runner', 'pluggy': 'test runner',
    'doctest': 'test runner', 'nose': 'test runner', 'mock': 'test runner', 'hypothesis': 'test runner',
    'os': 'environment', 'sys': 'environment', 'time': 'clock', 'datetime': 'clock', 'random': 'randomness',
    'io': 'files', 'os.path': 'files',
}
# Told by the part that is used, not by the import.
BY_PART = {'os', 'sys', 'time', 'random', 'io', 'datetime', 'types', 'urllib', 'concurrent', 'threading', 'pathlib',
           'os.path'}
FINE_PARTS = {
    'os': {'sep', 'linesep', 'fspath', 'PathLike', 'extsep', 'curdir', 'pardir', 'altsep', 'path'},
    'sys': {'maxsize', 'version_info', 'float_info', 'int_info', 'byteorder', 'getsizeof', 'intern', 'maxunicode',
            'hash_info', 'getrecursionlimit', 'hexversion', 'version'},
    'io': {'BytesIO', 'StringIO', 'TextIOBase', 'IOBase', 'TextIOWrapper', 'UnsupportedOperation'},
    'datetime': {'timedelta', 'timezone', 'tzinfo', 'datetime', 'date', 'time', 'MINYEAR', 'MAXYEAR', 'UTC'},
    'time': {'struct_time'},
    'types': {'TracebackType', 'ModuleType', 'GeneratorType', 'NoneType', 'MappingProxyType', 'UnionType',
              'GenericAlias', 'FunctionType', 'LambdaType', 'BuiltinFunctionType', 'SimpleNamespace'},
    'urllib': {'parse'},
    'threading': {'Lock', 'RLock'},
    'pathlib': {'PurePath', 'PurePosixPath', 'PureWindowsPath'},
    'random': set(), 'concurrent': set(),
}
FINE_PATH = {'join', 'basename', 'dirname', 'split', 'splitext', 'splitdrive', 'normpath', 'normcase', 'isabs', 'sep',
             'commonprefix', 'commonpath', 'altsep', 'pardir', 'curdir', 'extsep'}
BUILTINS = {
    'eval': 'code from text', 'exec': 'code from text', 'compile': 'code from text', '__import__': 'module system',
    '__builtins__': 'globals', '__loader__': 'module system', '__spec__': 'module system', '__file__': 'path',
    '__debug__': 'environment', 'globals': 'globals', 'locals': 'globals', 'vars': 'globals',
    'setattr': 'reflection', 'delattr': 'reflection', 'id': 'reflection', 'open': 'files', 'input': 'files',
    'exit': 'exit', 'quit': 'exit', 'breakpoint': 'engine', 'memoryview': 'engine', 'print': 'output',
    'AssertionError': 'test runner',
}
READS = {
    'now': 'clock', 'utcnow': 'clock', 'today': 'clock', '_getframe': 'call stack', 'tb_frame': 'call stack',
    'f_back': 'call stack', 'f_globals': 'call stack', 'f_locals': 'call stack', 'f_code': 'call stack',
    'gi_frame': 'call stack', 'modules': 'module system', 'meta_path': 'module system', 'environ': 'environment',
    'getenv': 'environment', 'argv': 'arguments', 'orig_argv': 'arguments', 'settrace': 'engine',
    'setprofile': 'engine', 'excepthook': 'exit', '_exit': 'exit',
}
FINE_NAMES = {'__init__', '__post_init__', '__all__', '__version__', '__author__', '__slots__', '__doc__',
              '__future__', '__name__', '__main__', '__annotations__', '__license__', '__lazy_modules__', '__email__',
              '__init_subclass__'}
TYPES = {'int', 'float', 'str', 'bool', 'list', 'dict', 'tuple', 'set', 'frozenset', 'bytes', 'bytearray', 'type',
         'complex', 'BaseException'}
ENDINGS = {'SystemExit', 'KeyboardInterrupt', 'GeneratorExit', 'BaseException'}
WORD = re.compile(r'pytest|unittest|treadle|conftest|\btest_\w*\.py\b|[./\\]tests?[./\\]', re.I)
VARIABLE = re.compile(r'^(PYTEST_\w+|TREADLE|TREADLE_\w+|COVERAGE_RUN|VITEST|NODE_TEST_CONTEXT)$')
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def is_dunder(name):
    return name.startswith('__') and name.endswith('__')


def dotted(node):
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return '.'.join(reversed([*parts, node.id])) if isinstance(node, ast.Name) else ''


def bound_in(node):
    """Names that a function, class or comprehension binds for itself."""
    names, freed = set(), set()
    if isinstance(node, FUNCTIONS):
        a = node.args
        names |= {x.arg for x in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg] if x}
    body = node.body if isinstance(node.body, list) else [node.body]
    stack = list(body)
    while stack:
        n = stack.pop()
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store):
            names.add(n.id)
        elif isinstance(n, (ast.Import, ast.ImportFrom)):
            names |= {a.asname or a.name.split('.')[0] for a in n.names}
        elif isinstance(n, (ast.Global, ast.Nonlocal)):
            freed |= set(n.names)
        elif isinstance(n, ast.ExceptHandler) and n.name:
            names.add(n.name)
        if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(n.name)
        elif not isinstance(n, ast.Lambda):
            stack.extend(ast.iter_child_nodes(n))
    return names - freed


class Reader:
    def __init__(self):
        self.found = {}
        self.modules = {}
        self.imports = []
        self.handled = set()

    def add(self, rule, what, node):
        self.found.setdefault((rule, what), getattr(node, 'lineno', 1))

    def read(self, node, scopes):
        if id(node) in self.handled:
            return
        look = getattr(self, f'on_{type(node).__name__}', None)
        if look:
            look(node, scopes)
        inside = scopes
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            inside = [*scopes, bound_in(node)]
        is_typing = isinstance(node, ast.If) and 'TYPE_CHECKING' in dotted(node.test)
        for name, value in ast.iter_fields(node):
            if name in ('annotation', 'returns') or (is_typing and name in ('test', 'body')):
                continue
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    self.read(each, inside)

    def is_free(self, name, scopes):
        return not any(name in scope for scope in scopes)

    def use(self, module, part, node):
        top = module.split('.')[0]
        rule = MODULES.get(top)
        if module == 'os.path' or (module == 'os' and part.startswith('path.')):
            part = part.removeprefix('path.')
            if part not in FINE_PATH:
                self.add('files', f'os.path.{part}', node)
        elif top in BY_PART:
            first = (module.split('.') + [part])[1] if '.' in module else part
            if first.split('.')[0] not in FINE_PARTS.get(top, set()):
                self.add(rule, f'{module}.{part}', node)
        elif rule:
            self.add(rule, f'import {top}', node)

    def on_Import(self, node, scopes):
        for a in node.names:
            self.imports.append([a.name, 0])
            self.modules[a.asname or a.name.split('.')[0]] = a.name if a.asname else a.name.split('.')[0]
            if a.name.split('.')[0] not in BY_PART:
                self.use(a.name, '', node)

    def on_ImportFrom(self, node, scopes):
        self.imports.append([node.module or '', node.level])
        if node.level:
            return
        for a in node.names:
            self.use(node.module or '', a.name, node)
            self.modules[a.asname or a.name] = f'{node.module}.{a.name}'

    def on_Attribute(self, node, scopes):
        self.part(node, node.attr)
        whole = dotted(node)
        root = whole.split('.')[0]
        module = self.modules.get(root)
        inner = node.value
        if module in BY_PART:
            n = inner
            while isinstance(n, ast.Attribute):
                n = n.value
            self.handled.add(id(n))
            part = whole.split('.', 1)[1]
            if part != 'path' and not (isinstance(inner, ast.Attribute) and inner.attr != 'path'):
                self.use(module, part, node)

    def part(self, node, name):
        if is_dunder(name) and name not in FINE_NAMES:
            self.add('reflection', f'.{name}', node)
        owner = getattr(node, 'value', None)
        if name in READS and not (isinstance(owner, ast.Name) and owner.id in ('self', 'cls')):
            self.add(READS[name], f'.{name}', node)

    def on_Name(self, node, scopes):
        name = node.id
        if isinstance(node.ctx, ast.Load):
            if self.modules.get(name) in BY_PART:
                self.add(MODULES[self.modules[name]], f'{name} as a value', node)
            if not self.is_free(name, scopes):
                return
            if name in BUILTINS:
                self.add(BUILTINS[name], name, node)
            elif name == 'getattr':
                self.add('computed name', 'getattr as a value', node)
            elif is_dunder(name) and name not in FINE_NAMES:
                self.add('globals', name, node)

    def on_Call(self, node, scopes):
        f = node.func
        if not isinstance(f, ast.Name):
            return
        if f.id == 'getattr':
            self.handled.add(id(f))
        if f.id in ('getattr', 'hasattr') and len(node.args) > 1:
            key = node.args[1]
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                self.part(node, key.value)
            elif f.id == 'getattr':
                self.add('computed name', 'getattr of a computed name', node)
        if f.id == 'type' and len(node.args) == 3:
            self.add('reflection', 'type() makes a class', node)

    def on_Global(self, node, scopes):
        self.add('globals', f'global {" ".join(node.names)}', node)

    def on_FunctionDef(self, node, scopes):
        if is_dunder(node.name) and node.name not in FINE_NAMES:
            self.add('protocol', f'defines {node.name}', node)
        if node.name.startswith('pytest_'):
            self.add('test runner', f'hook {node.name}', node)
        for d in node.decorator_list:
            name = dotted(d.func if isinstance(d, ast.Call) else d)
            if name.endswith('property') or name.endswith('.setter'):
                self.add('reflection', 'a property', node)

    on_AsyncFunctionDef = on_FunctionDef

    def on_ClassDef(self, node, scopes):
        for b in node.bases:
            if isinstance(b, ast.Name) and b.id in TYPES:
                self.add('protocol', f'class of {b.id}', node)
        if any(k.arg == 'metaclass' for k in node.keywords):
            self.add('reflection', 'metaclass', node)

    def on_Raise(self, node, scopes):
        e = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if isinstance(e, ast.Name) and e.id in ENDINGS:
            self.add('exit', f'raises {e.id}', node)

    def on_Expr(self, node, scopes):
        if isinstance(node.value, ast.Constant):
            self.handled.add(id(node.value))

    def on_Compare(self, node, scopes):
        for each in [node.left, *node.comparators]:
            for n in [each, *getattr(each, 'elts', [])]:
                if isinstance(n, ast.Constant) and isinstance(n.value, str) and WORD.search(n.value):
                    self.handled.add(id(n))
                    rule = 'asks for the runner' if VARIABLE.match(n.value) else 'test runner'
                    looks = n.value if VARIABLE.match(n.value) else f'looks for {n.value[:40]}'
                    self.add(rule, looks, n)

    def on_Constant(self, node, scopes):
        if not isinstance(node.value, str):
            return
        if VARIABLE.match(node.value):
            self.add('asks for the runner', node.value, node)
        elif WORD.search(node.value):
            self.add('test runner', f'names {node.value[:40]}', node)

    def targets(self, node, targets, scopes):
        for t in targets:
            if isinstance(t, (ast.Tuple, ast.List)):
                self.targets(node, t.elts, scopes)
            elif isinstance(t, ast.Starred):
                self.targets(node, [t.value], scopes)
            elif isinstance(t, (ast.Attribute, ast.Subscript)):
                self.written(node, t, scopes)
            elif isinstance(t, ast.Name) and is_dunder(t.id) and t.id not in FINE_NAMES:
                self.add('protocol', f'sets {t.id}', node)
            elif isinstance(t, ast.Name) and len(scopes) == 0 and hasattr(builtins, t.id) and t.id != '_':
                self.add('patch', f'hides {t.id}', node)

    def written(self, node, target, scopes):
        root = target
        while isinstance(root, (ast.Attribute, ast.Subscript)):
            root = root.value
        foreign = isinstance(root, ast.Call) or (
            isinstance(root, ast.Name)
            and (root.id in self.modules or (hasattr(builtins, root.id) and self.is_free(root.id, scopes)))
        )
        if foreign:
            self.add('patch', f'writes {ast.unparse(target)[:50]}', node)
        if isinstance(target, ast.Attribute) and is_dunder(target.attr) and target.attr not in FINE_NAMES:
            self.add('protocol', f'sets {target.attr}', node)

    def on_Assign(self, node, scopes):
        self.targets(node, node.targets, scopes)

    def on_Delete(self, node, scopes):
        self.targets(node, node.targets, scopes)

    def on_AugAssign(self, node, scopes):
        self.targets(node, [node.target], scopes)

    on_AnnAssign = on_For = on_AsyncFor = on_NamedExpr = on_AugAssign

    def on_withitem(self, node, scopes):
        if node.optional_vars:
            self.targets(node.context_expr, [node.optional_vars], scopes)


def kind_of(node):
    """What a statement at the top of a conftest.py is to the tests."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return 'import'
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return 'text'
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        marks = [ast.unparse(d) for d in node.decorator_list]
        fixture = [m for m in marks if re.match(r'(pytest\.)?fixture\b', m)]
        if fixture and not any('autouse' in m for m in marks):
            return f'fixture {node.name}'
    return 'other'


def read(text):
    tree = ast.parse(text)
    reader = Reader()
    reader.read(tree, [])
    return {
        'found': [[rule, what, line] for (rule, what), line in reader.found.items()],
        'imports': reader.imports,
        'statements': [[kind_of(n), ast.unparse(n)] for n in tree.body],
    }


def read_or_none(text):
    try:
        return read(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


json.dump({key: read_or_none(text) for key, text in json.load(sys.stdin).items()}, sys.stdout)
