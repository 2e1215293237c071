"""The assertions of Python test files, each with what bends it. Nothing of the files is run.

JSON on stdin: {"path": "text", ...}. JSON on stdout: {"path": [[line, test, start, end, text, machine], ...], ...};
start and end count characters.
"""
import ast
import json
import re
import sys


def offsets(text):
    starts, at = [], 0
    for line in text.splitlines(keepends=True):
        starts.append((at, line))
        at += len(line)
    return starts


class Finder(ast.NodeVisitor):
    def __init__(self, text):
        self.text, self.lines, self.found = text, offsets(text), []
        self.test, self.machine = None, False

    def at(self, line, column):
        start, words = self.lines[line - 1]
        return start + len(words.encode()[:column].decode())

    def span(self, node):
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def put(self, node, where, text):
        start, end = self.span(where)
        self.found.append([node.lineno, self.test, start, end, text, self.machine])

    def visit_FunctionDef(self, node):
        before = self.test
        if node.name.startswith("test"):
            self.test = node.name
        self.generic_visit(node)
        self.test = before

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_If(self, node):
        before = self.machine
        self.machine = before or bool(re.search(r"platform|version_info|os\.name", ast.unparse(node.test)))
        self.generic_visit(node)
        self.machine = before

    def visit_Assert(self, node):
        test = node.test
        if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Eq, ast.Is)):
            self.put(node, test.comparators[0], "object()")
        else:
            start, end = self.span(test)
            self.put(node, test, f"not ({self.text[start:end]})")

    def visit_Call(self, node):
        name = ast.unparse(node.func)
        if re.fullmatch(r"self\.assert(Equal|Is|ListEqual|DictEqual|AlmostEqual)", name) and len(node.args) > 1:
            self.put(node, node.args[1], "object()")
        elif name in ("self.assertTrue", "self.assertFalse") and node.args:
            start, end = self.span(node.args[0])
            self.put(node, node.args[0], f"not ({self.text[start:end]})")
        elif name in ("pytest.raises", "self.assertRaises") and node.args:
            self.put(node, node.args[0], "type('Other', (Exception,), {})")
        else:
            self.generic_visit(node)


def read(text):
    try:
        finder = Finder(text)
        finder.visit(ast.parse(text))
        return finder.found
    except (SyntaxError, ValueError, RecursionError):
        return []


json.dump({path: read(text) for path, text in json.load(sys.stdin).items()}, sys.stdout)
