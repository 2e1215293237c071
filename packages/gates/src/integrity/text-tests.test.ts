import { expect, test } from 'vitest'
import { judgeChanges } from './integrity.ts'

const python =
  'import pytest\n\ndef test_adds():\n    assert add(1, 2) == 3\n    assert add(0, 0) == 0\n\ndef test_name():\n    assert name() == "x"\n'
const go = 'package a\n\nfunc TestAdd(t *testing.T) {\n\tif add(1, 2) != 3 {\n\t\tt.Errorf("no")\n\t}\n}\n'
const rust =
  '#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n'

test.each<[what: string, path: string, before: string, after: string | null, said: RegExp | null]>([
  [
    'a Python test removed',
    'test_a.py',
    python,
    python.slice(0, python.indexOf('def test_name')),
    /test 'test_name' \(was line 7\) was removed/,
  ],
  [
    'a Python test skipped',
    'test_a.py',
    python,
    python.replace('def test_name', '@pytest.mark.skip\ndef test_name'),
    /:8 test 'test_name' no longer runs/,
  ],
  [
    'a Python test that skips itself',
    'test_a.py',
    python,
    python.replace('    assert name', '    pytest.skip("later")\n    assert name'),
    /no longer runs/,
  ],
  [
    'a Python assertion removed',
    'test_a.py',
    python,
    python.replace('    assert add(0, 0) == 0\n', ''),
    /asserts less: 2 assertion\(s\) before, 1 now; gone: assert add\(0, 0\) == 0/,
  ],
  [
    'a Python value changed',
    'test_a.py',
    python,
    python.replace('== 3', '== 4'),
    /expected value was changed/,
  ],
  ['a Python file deleted', 'tests/test_a.py', python, null, /was removed/],
  [
    'a Python refactoring',
    'test_a.py',
    python,
    python.replace('    assert name() == "x"', '    got = name()\n    assert got == "x"'),
    null,
  ],
  ['a new Python test', 'test_a.py', python, `${python}\ndef test_new():\n    assert True\n`, null],
  ['a Go test removed', 'a_test.go', go, 'package a\n', /test 'TestAdd'/],
  ['a Go test skipped', 'a_test.go', go, go.replace('\tif', '\tt.Skip("later")\n\tif'), /no longer runs/],
  [
    'a Go refactoring',
    'a_test.go',
    go,
    go.replace('\tif add(1, 2) != 3', '\tgot := add(1, 2)\n\tif got != 3'),
    null,
  ],
  [
    'a Rust test ignored',
    'src/lib.rs',
    rust,
    rust.replace('#[test]', '#[test]\n    #[ignore]'),
    /no longer runs/,
  ],
  ['a Rust test removed', 'src/lib.rs', rust, 'fn main() {}\n', /test 'adds'/],
  ['Rust code that is no test', 'src/lib.rs', 'fn add() {}\n', 'fn sum() {}\n', null],
  [
    'a Java test disabled',
    'src/AddTest.java',
    'class AddTest {\n  @Test\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n',
    'class AddTest {\n  @Test\n  @Disabled\n  void adds() {\n    assertEquals(3, add(1, 2));\n  }\n}\n',
    /no longer runs/,
  ],
])('%s', (...[, path, before, after, said]) => {
  const found = judgeChanges([{ path, before, after }])
    .filter(({ blocks }) => blocks)
    .map(({ file, line, what }) => `${file}:${line ?? ''} ${what}`)
  if (said === null) expect(found).toEqual([])
  else expect(found.join('\n')).toMatch(said)
})
