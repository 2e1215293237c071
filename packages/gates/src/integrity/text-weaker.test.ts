// In every language: an assertion of a test that was there before stays as it was; more of them is always fine.
import { expect, test } from 'vitest'
import type { FileChange } from './compare-files.ts'
import { judgeChanges } from './integrity.ts'

const blocking = (changes: readonly FileChange[]): string[] =>
  judgeChanges(changes)
    .filter(({ blocks }) => blocks)
    .map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`)

const files = {
  python: {
    path: 'tests/test_total.py',
    text: 'import pytest\nfrom shop import total\n\n\n@pytest.mark.parametrize(\n    "given, want",\n    [\n        ([1], 1),\n        ([1, 2], 3),\n    ],\n)\ndef test_many(given, want):\n    assert total(given) == want\n\n\ndef test_empty():\n    assert total([]) == 0\n    assert total(\n        [2, 2],\n    ) == 4\n    with pytest.raises(TypeError):\n        total(None)\n',
  },
  unittest: {
    path: 'test_shop.py',
    text: 'import unittest\n\n\nclass ShopTest(unittest.TestCase):\n    def check(self, got):\n        self.assertEqual(got, 3)\n\n    def test_adds(self):\n        self.check(add(1, 2))\n        self.assertEqual(add(0, 0), 0)\n\n\nclass OtherTest(unittest.TestCase):\n    def test_adds(self):\n        self.assertTrue(other())\n',
  },
  go: {
    path: 'shop/total_test.go',
    text: 'package shop\n\nimport "testing"\n\nfunc check(t *testing.T, got, want int) {\n\tif got != want {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n\nfunc TestTotal(t *testing.T) {\n\tgot := Total([]int{1, 2})\n\tif got != 3 {\n\t\tt.Fatalf("got %d", got)\n\t}\n}\n\nfunc TestTable(t *testing.T) {\n\tfor _, c := range []struct{ a, want int }{\n\t\t{1, 1},\n\t\t{2, 4},\n\t} {\n\t\tcheck(t, Square(c.a), c.want)\n\t}\n}\n',
  },
  rust: {
    path: 'src/lib.rs',
    text: 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(\n            add(1, 2),\n            3\n        );\n        assert!(add(2, 2) == 4);\n    }\n\n    #[test]\n    #[should_panic]\n    fn panics() {\n        assert_eq!(add(1, 1), 3);\n    }\n}\n',
  },
  java: {
    path: 'src/test/java/shop/PriceTest.java',
    text: 'package shop;\n\nclass PriceTest {\n  @Test\n  void adds() {\n    int got = Price.add(1, 2);\n    assertEquals(3, got);\n    assertThrows(IllegalArgumentException.class, () -> Price.add(-1, 0));\n  }\n}\n',
  },
  php: {
    path: 'tests/PriceTest.php',
    text: '<?php\n\nclass PriceTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $got = add(1, 2);\n        $this->assertSame(3, $got);\n    }\n}\n',
  },
  ruby: {
    path: 'spec/price_spec.rb',
    text: "describe Price do\n  it 'adds' do\n    got = Price.add(1, 2)\n    expect(got).to eq(3)\n  end\nend\n",
  },
} as const

type Name = keyof typeof files

test.each<[what: string, name: Name, from: string, to: string, said: RegExp]>([
  [
    'another question',
    'python',
    'assert total([]) == 0',
    'assert total([]) is not None',
    /^tests\/test_total\.py:17 test 'test_empty': an assertion was changed: assert total\(\[\]\) == 0 became/,
  ],
  ['a value on another line', 'python', '    ) == 4', '    ) == 5', /:18 .*expected value was changed/],
  [
    'a row of a table',
    'python',
    '([1, 2], 3)',
    '([1, 2], 4)',
    /test 'test_many': .*\(\[1, 2\], 3\), is gone/,
  ],
  ['a wider error', 'python', 'raises(TypeError)', 'raises(Exception)', /an assertion was changed/],
  [
    'a fallback',
    'python',
    'assert total([]) == 0',
    'assert total([]) == 0 or True',
    /an assertion was changed/,
  ],
  [
    'a condition',
    'python',
    '    assert total([]) == 0\n',
    '    if total:\n        assert total([]) == 0\n',
    /changed/,
  ],
  [
    'a failure that is caught',
    'python',
    '    assert total([]) == 0\n',
    '    try:\n        assert total([]) == 0\n    except AssertionError:\n        pass\n',
    /an assertion was changed/,
  ],
  [
    'an early end',
    'python',
    '    assert total([]) == 0\n',
    '    return\n    assert total([]) == 0\n',
    /may now end/,
  ],
  [
    'another value under the same name',
    'python',
    '    assert total([]) == 0\n',
    '    total = lambda _: 0\n    assert total([]) == 0\n',
    /test 'test_empty': what is asserted about was changed/,
  ],
  [
    'a stand-in',
    'python',
    'from shop import total\n',
    'from shop import total\n\n\ndef total(items):\n    return len(items)\n',
    /:5 total stands in for what was imported/,
  ],
  ['what tests share', 'unittest', 'assertEqual(got, 3)', 'assertTrue(got)', /:6 function check: .*changed/],
  [
    'one of two tests of a name',
    'unittest',
    'assertTrue(other())',
    'assertIsNotNone(other())',
    /:15 test 'test_adds': an assertion was changed/,
  ],
  [
    'a condition turned around',
    'go',
    'if got != 3',
    'if got == 3',
    /^shop\/total_test\.go:14 test 'TestTotal': an assertion was changed: if got != 3 \/ t\.Fatalf.* became if got == 3/,
  ],
  [
    'a condition that asks for more',
    'go',
    'if got != 3',
    'if got != 3 && got > 9',
    /an assertion was changed/,
  ],
  ['a condition in what tests share', 'go', 'if got != want', 'if got > want', /:7 function check/],
  ['a row of a Go table', 'go', '{2, 4}', '{2, 5}', /test 'TestTable': .*\{2, 4\}, is gone/],
  [
    'another subject',
    'go',
    'got := Total([]int{1, 2})',
    'got := 3',
    /test 'TestTotal': what is asserted about was changed/,
  ],
  [
    'a Go test that ends early',
    'go',
    '\tgot := Total',
    '\tif true {\n\t\treturn\n\t}\n\tgot := Total',
    /may now end/,
  ],
  [
    'a value in Rust',
    'rust',
    '            3\n',
    '            4\n',
    /:11 test 'adds': an expected value was changed/,
  ],
  ['a weaker macro', 'rust', 'assert!(add(2, 2) == 4)', 'assert!(add(2, 2) != 5)', /:15 test 'adds'/],
  ['a test that is to panic', 'rust', 'assert_eq!(add(1, 1), 3)', 'panic!()', /test 'panics'/],
  [
    'a Java value',
    'java',
    'assertEquals(3, got)',
    'assertEquals(4, got)',
    /:7 test 'adds': an expected value/,
  ],
  [
    'a weaker Java assertion',
    'java',
    'assertEquals(3, got)',
    'assertNotNull(got)',
    /an assertion was changed/,
  ],
  [
    'a Java subject',
    'java',
    'int got = Price.add(1, 2)',
    'int got = 3',
    /what is asserted about was changed/,
  ],
  [
    'a weaker PHP assertion',
    'php',
    'assertSame(3, $got)',
    'assertNotNull($got)',
    /:8 test 'testAdds': .*changed/,
  ],
  ['a PHP subject', 'php', '$got = add(1, 2)', '$got = 3', /test 'testAdds'/],
  ['a weaker Ruby matcher', 'ruby', 'to eq(3)', 'to be_truthy', /:4 test 'adds': an assertion was changed/],
])('%s is blocked (%s)', (...[, name, from, to, said]) => {
  const { path, text } = files[name]
  expect(text).toContain(from)
  expect(blocking([{ path, before: text, after: text.replace(from, to) }]).join('\n')).toMatch(said)
})

test.each<[what: string, name: Name, from: string, to: string]>([
  [
    'one more assertion',
    'python',
    '    assert total([]) == 0\n',
    '    assert total([]) == 0\n    assert total([5]) == 5\n',
  ],
  ['one more row', 'python', '        ([1, 2], 3),\n', '        ([1, 2], 3),\n        ([1, 2, 3], 6),\n'],
  ['a comment', 'python', 'assert total([]) == 0', 'assert total([]) == 0  # nothing costs nothing'],
  ['another layout', 'python', 'assert total(\n        [2, 2],\n    ) == 4', 'assert total([2, 2]) == 4'],
  ['a variable', 'python', '    assert total([]) == 0', '    got = total([])\n    assert got == 0'],
  ['another name', 'python', 'def test_empty', 'def test_nothing'],
  ['one more Go row', 'go', '\t\t{2, 4},\n', '\t\t{2, 4},\n\t\t{3, 9},\n'],
  ['another message', 'go', 't.Fatalf("got %d", got)', 't.Fatalf("got %d, want 3", got)'],
  [
    'a condition with its variable',
    'go',
    'got := Total([]int{1, 2})\n\tif got != 3',
    'if got := Total([]int{1, 2}); got != 3',
  ],
  ['the code beside its tests', 'rust', 'a + b', 'a.wrapping_add(b)'],
  [
    'one more Rust test',
    'rust',
    '    #[test]\n    fn adds',
    '    #[test]\n    fn more() {\n        assert!(true);\n    }\n\n    #[test]\n    fn adds',
  ],
  [
    'a Java variable',
    'java',
    '    int got = Price.add(1, 2);\n    assertEquals(3, got);',
    '    assertEquals(3, Price.add(1, 2));',
  ],
  [
    'one more Java assertion',
    'java',
    '    assertEquals(3, got);\n',
    '    assertEquals(3, got);\n    assertTrue(got > 0);\n',
  ],
])('%s is not blocked (%s)', (_, name, from, to) => {
  const { path, text } = files[name]
  expect(text).toContain(from)
  expect(blocking([{ path, before: text, after: text.replace(from, to) }])).toEqual([])
})

test.each(Object.entries(files).filter(([name]) => name !== 'rust'))(
  'a file that moved is not blocked: %s',
  (_, at) => {
    const { path, text } = at
    const there = path.replace(/([^/]+)$/, 'more/$1')
    expect(
      blocking([
        { path, before: text, after: null },
        { path: there, before: null, after: text },
      ]),
    ).toEqual([])
    expect(blocking([{ path, before: null, after: text }])).toEqual([])
    expect(blocking([{ path, before: text, after: null }]).join('\n')).toMatch(/was removed/)
  },
)

test.each<[what: string, path: string, before: string | null, after: string]>([
  ['an outcome rewritten', 'conftest.py', null, 'def pytest_runtest_makereport(item, call):\n    pass\n'],
  ['tests left out', 'tests/conftest.py', null, 'def pytest_ignore_collect(path):\n    return True\n'],
  ['marks', 'conftest.py', 'import os\n', 'import os\n\n\ndef f(items):\n    items[0].add_marker("x")\n'],
  ['files left out', 'conftest.py', null, 'collect_ignore = ["test_hard.py"]\n'],
  [
    'a plugin',
    'shop/plugin.py',
    null,
    'import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef x(): ...\n',
  ],
  ['code at the start of Python', 'sitecustomize.py', null, 'import builtins\n'],
  [
    'TestMain',
    'main_test.go',
    null,
    'package a\n\nfunc TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n',
  ],
  ['a build tag', 'a_test.go', 'package a\n', '//go:build never\n\npackage a\n'],
  ['an assertion macro', 'src/lib.rs', '', 'macro_rules! assert_eq { ($($x:tt)*) => {} }\n'],
  [
    'a JUnit extension',
    'src/test/java/Green.java',
    null,
    'class Green implements TestExecutionExceptionHandler {}\n',
  ],
  [
    'its registration',
    'src/test/resources/META-INF/services/org.junit.jupiter.api.extension.Extension',
    null,
    'Green\n',
  ],
  ['a library of the same name', 'src/test/java/org/junit/Assert.java', null, 'package org.junit;\n'],
  ['PHPUnit itself', 'src/Assert.php', null, '<?php\nnamespace PHPUnit\\Framework;\n'],
  ['a failure swallowed', 'tests/Base.php', '<?php\n', '<?php\n  function onNotSuccessfulTest($e) {}\n'],
  ['a filter', 'spec/spec_helper.rb', '', 'RSpec.configure { |c| c.filter_run_excluding hard: true }\n'],
  ['assertions reopened', 'lib/price.rb', '', 'module Minitest::Assertions\n  def assert(*) = true\nend\n'],
  ['an assertion replaced', 'shop.py', '', 'unittest.TestCase.assertEqual = lambda *a: None\n'],
  ['a built-in replaced', 'shop.py', '', 'import builtins\nbuiltins.len = lambda x: 3\n'],
  ['a module replaced', 'shop.py', '', 'sys.modules["unittest"] = fake\n'],
  ['the end of the process', 'shop.py', 'def f(): ...\n', 'def f():\n    os._exit(0)\n'],
  ['the end at import', 'shop.py', '', 'import sys\nsys.exit(0)\n'],
  ['the end in Go', 'shop/init.go', null, 'package shop\n\nfunc init() {\n\tos.Exit(0)\n}\n'],
  ['the end in Rust', 'src/lib.rs', '', 'pub fn f() {\n    std::process::exit(0);\n}\n'],
  ['the end in Java', 'src/main/java/A.java', null, 'class A {\n  static {\n    System.exit(0);\n  }\n}\n'],
])('%s is blocked, with the place', (_, path, before, after) => {
  const found = blocking([{ path, before, after }])
  expect(found.length).toBeGreaterThan(0)
  expect(found[0]).toMatch(/:\d+ `.+` was added: it /)
})

test.each<[what: string, path: string, before: string | null, after: string]>([
  ['fixtures', 'conftest.py', null, 'import pytest\n\n\n@pytest.fixture\ndef shop():\n    return Shop()\n'],
  [
    'a hook that was there',
    'conftest.py',
    'def pytest_configure(config):\n    pass\n',
    'def pytest_configure(config):\n    pass\n\n\nX = 1\n',
  ],
  ['a program that ends', 'main.go', null, 'package main\n\nfunc main() {\n\tos.Exit(0)\n}\n'],
  ['a Rust program', 'src/main.rs', null, 'fn main() {\n    std::process::exit(0);\n}\n'],
  ['a script', 'tool.py', null, 'import sys\n\nif __name__ == "__main__":\n    sys.exit(main())\n'],
  [
    'a Java program',
    'src/main/java/A.java',
    null,
    'class A {\n  static void main(String[] a) {\n    System.exit(0);\n  }\n}\n',
  ],
  [
    'a new Java test',
    'src/test/java/ATest.java',
    null,
    '@ExtendWith(MockitoExtension.class)\nclass ATest {}\n',
  ],
  ['a comment', 'shop.py', '', '# os._exit(0) would be wrong here\n'],
])('%s is not blocked', (_, path, before, after) => {
  expect(blocking([{ path, before, after }])).toEqual([])
})
