// Python modules that are found before others of the same name.
import { posix } from 'node:path'
import type { Shadow, ShadowTree } from './shadow-tree.ts'

/** What decides about tests, whether anybody in the tree names it or not. */
const judges = new Set('pytest _pytest pluggy unittest doctest hypothesis mock nose assertpy'.split(' '))
const standard = new Set(
  `abc argparse array ast asyncio atexit base64 binascii bisect builtins calendar cmath codecs collections concurrent
  configparser contextlib contextvars copy copyreg csv ctypes dataclasses datetime decimal difflib dis email encodings
  enum errno faulthandler fnmatch fractions functools gc getpass gettext glob graphlib gzip hashlib heapq hmac html http
  importlib inspect io ipaddress itertools json keyword linecache locale logging lzma marshal math mimetypes
  multiprocessing numbers opcode operator os pathlib pickle pkgutil platform pprint queue random re reprlib sched
  secrets select selectors shelve shlex shutil signal site socket sqlite3 ssl stat statistics string struct subprocess
  sys sysconfig tarfile tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata
  urllib uuid warnings weakref xml zipfile zlib zoneinfo`.split(/\s+/),
)
/** Fixtures of pytest itself. */
const fixtures = new Set(
  `cache capfd capfdbinary caplog capsys capsysbinary capteesys doctest_namespace monkeypatch pytestconfig
  record_property record_testsuite_property record_xml_attribute recwarn request subtests testdir pytester tmp_path
  tmp_path_factory tmpdir tmpdir_factory mocker event_loop`.split(/\s+/),
)

export function pythonShadow(tree: ShadowTree, path: string): Shadow | null {
  return compiledShadow(tree, path) ?? fixtureShadow(tree, path) ?? moduleShadow(tree, path)
}

/** Compiled code is run in place of the source beside it. */
function compiledShadow({ old }: ShadowTree, path: string): Shadow | null {
  if (!/\.(?:pyc|so|pyd)$/.test(path)) return null
  const folder = posix.dirname(path)
  const name = posix.basename(path).split('.')[0] ?? ''
  const source = posix.join(
    posix.basename(folder) === '__pycache__' ? posix.dirname(folder) : folder,
    `${name}.py`,
  )
  return old.has(source) ? { sure: true, words: `it is run in place of ${source}` } : null
}

/** A fixture of a nearer file is handed to tests in place of the one that they asked for. */
export function fixtureShadow({ old, text }: ShadowTree, path: string, before = ''): Shadow | null {
  if (posix.basename(path) !== 'conftest.py') return null
  const folder = posix.dirname(path)
  const above = [...old].filter(
    (each) => posix.basename(each) === 'conftest.py' && isAbove(posix.dirname(each), folder),
  )
  const known = fixturesIn(before)
  for (const name of fixturesIn(text(path)).filter((each) => !known.includes(each))) {
    if (fixtures.has(name))
      return { sure: true, words: `its fixture ${name} takes the place of the runner's` }
    const other = above.find((each) => fixturesIn(text(each)).includes(name))
    if (other !== undefined)
      return { sure: true, words: `its fixture ${name} takes the place of the one in ${other}` }
  }
  return null
}

function fixturesIn(text: string): string[] {
  const found = text.matchAll(/^@(?:pytest\.)?fixture\b[\s\S]*?^(?:async )?def (\w+)/gm)
  return [...found].map((each) => /name\s*=\s*['"](\w+)['"]/.exec(each[0])?.[1] ?? each[1] ?? '')
}

function isAbove(outer: string, inner: string): boolean {
  return outer === '.' || inner.startsWith(`${outer}/`)
}

function moduleShadow(tree: ShadowTree, path: string): Shadow | null {
  if (!path.endsWith('.py')) return null
  const isPackage = posix.basename(path) === '__init__.py'
  const at = isPackage ? posix.dirname(path) : path.slice(0, -3)
  if (isPackage && tree.old.has(`${at}.py`))
    return { sure: true, words: `the package is found before ${at}.py` }
  const [folder, name] = [posix.dirname(at), posix.basename(at)]
  if (!isOnPath(tree, folder) || name === 'conftest' || name === 'setup') return null
  const asking = importerOf(tree, name)
  if (judges.has(name))
    return { sure: true, words: `it is imported in place of ${name}, which judges the tests` }
  if (standard.has(name) || isDeclared(tree, name))
    return {
      sure: asking !== null,
      words: `it is imported in place of the module ${name}${asking === null ? '' : `, which ${asking} asks for`}`,
    }
  const other = [...tree.old].find((each) => isModule(each, name) && posix.dirname(topOf(each)) !== folder)
  if (other === undefined || asking === null || !isOnPath(tree, posix.dirname(topOf(other)))) return null
  return { sure: true, words: `it may be imported in place of ${other}, which ${asking} asks for` }
}

function topOf(path: string): string {
  return path.endsWith('/__init__.py') ? posix.dirname(path) : path
}

function isModule(path: string, name: string): boolean {
  return (
    posix.basename(path) === `${name}.py` ||
    path === `${name}/__init__.py` ||
    path.endsWith(`/${name}/__init__.py`)
  )
}

/** Folders in which modules are looked for: the root, the usual ones for sources, and those that hold tests. */
function isOnPath({ old, added }: ShadowTree, folder: string): boolean {
  const all = [...old, ...added]
  if (all.includes(posix.join(folder, '__init__.py'))) return false
  if (['.', 'src', 'lib', 'python'].includes(folder)) return true
  return all.some(
    (each) =>
      posix.dirname(each) === folder &&
      /^(?:test_.*|.*_test|tests?|conftest)\.py$/.test(posix.basename(each)),
  )
}

function importerOf({ old, text }: ShadowTree, name: string): string | null {
  const asks = new RegExp(
    `^[ \\t]*(?:from[ \\t]+${name}\\b|import[ \\t]+(?:[\\w.]+[ \\t]*,[ \\t]*)*${name}\\b)`,
    'm',
  )
  return [...old].find((each) => each.endsWith('.py') && asks.test(text(each))) ?? null
}

/** Whether the project says that it needs a package of this name. */
function isDeclared({ old, text }: ShadowTree, name: string): boolean {
  const word = new RegExp(`(?:^|["'\\s])${name.replaceAll('_', '[-_]')}(?=["'\\s<>=~!;\\[]|$)`, 'im')
  return [...old].some(
    (each) =>
      /(^|\/)(?:requirements[^/]*\.txt|pyproject\.toml|setup\.(?:cfg|py)|Pipfile)$/.test(each) &&
      word.test(text(each)),
  )
}
