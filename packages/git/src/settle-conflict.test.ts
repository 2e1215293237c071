// A conflict decided place by place, with real git: what comes out is what was chosen, byte for byte.
import { chmodSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConflictParts, FileChoice, PartedFile, PlaceChoice } from '@treadle/contracts/conflict-parts'
import { expect, onTestFinished, test } from 'vitest'
import { openMergeGit } from './merge.ts'
import { commitOn, makeScratch, stateOf } from './scratch-repository.ts'

function setUp() {
  const scratch = makeScratch()
  onTestFinished(scratch.remove)
  return { ...scratch, git: openMergeGit(scratch) }
}
type World = ReturnType<typeof setUp>
type Ends = { target: string; branch: string }

const TARGET: PlaceChoice = { is: 'target' }
const BRANCH: PlaceChoice = { is: 'branch' }

async function partsOf({ git }: World, { target, branch }: Ends): Promise<ConflictParts> {
  const parts = await git.conflictParts({
    target: { name: 'main', commit: target },
    branch: { name: 'agent-1/project-7', commit: branch },
  })
  if (parts === null) throw new Error('the two have nothing in common')
  return parts
}

function settle({ git }: World, ends: Ends, files: readonly FileChoice[]) {
  return git.settleConflict({ ...ends, files, message: 'settled' })
}

async function commitOf(world: World, ends: Ends, files: readonly FileChoice[]): Promise<string> {
  const settled = await settle(world, ends, files)
  if (settled.is === 'refused') throw new Error(settled.why)
  return settled.commit
}

const places = (file: PartedFile | undefined) =>
  file?.is === 'text' ? file.parts.filter(({ is }) => is === 'place') : []
const text = (file: number, ...chosen: (PlaceChoice | null)[]): FileChoice => ({
  is: 'text',
  file,
  places: chosen,
})
const show = (world: World, commit: string, path: string) => world.sh(`git show '${commit}:${path}'`)

/** A commit with whatever a script leaves in a checkout of its own. */
function commitBy(world: World, base: string, change: (at: string) => void): string {
  const at = join(world.dir, 'by-hand')
  world.sh(`git worktree add -q --detach '${at}' ${base}`)
  change(at)
  const commit = world.sh('git add -A; git commit -q --allow-empty -m change; git rev-parse HEAD', at)
  world.sh(`git worktree remove --force '${at}'`)
  return commit.trim()
}

test('one side, both in either order, and edited text; lines that nobody disputes come from the merge', async () => {
  const world = setUp()
  const lines = (words: Record<number, string>) =>
    `${Array.from({ length: 40 }, (_, at) => words[at] ?? `line ${at}`).join('\n')}\n`
  const base = commitOn(world, 'main', { 'f.txt': lines({}), gone: 'gone\n' })
  const ours = { 5: 'T5', 12: 'T12', 19: 'T19', 26: 'T26', 33: 'T33', 39: 'only the target' }
  const theirs = { 5: 'B5', 12: 'B12', 19: 'B19', 26: 'B26', 33: 'B33', 0: 'only the branch' }
  const target = commitOn(world, base, { 'f.txt': lines(ours), alone: 'of the target\n', gone: null })
  const branch = commitOn(world, base, { 'f.txt': lines(theirs), mine: 'of the branch\n' })
  const [before, refs] = [stateOf(world, world.repository), world.sh('git for-each-ref')]
  const parts = await partsOf(world, { target, branch })
  expect(parts).toMatchObject({ more: 0, target: { commit: target }, branch: { commit: branch } })
  expect(parts.files.map(({ is, path }) => [is, path])).toEqual([['text', 'f.txt']])
  expect(places(parts.files[0])[0]).toEqual({ is: 'place', target: 'T5\n', branch: 'B5\n', base: 'line 5\n' })
  expect(places(parts.files[0])).toHaveLength(5)
  const commit = await commitOf(world, { target, branch }, [
    text(
      0,
      TARGET,
      BRANCH,
      { is: 'both', first: 'target' },
      { is: 'both', first: 'branch' },
      { is: 'text', text: 'edited' },
    ),
  ])
  expect(show(world, commit, 'f.txt')).toBe(
    lines({ ...ours, 0: 'only the branch', 12: 'B12', 19: 'T19\nB19', 26: 'B26\nT26', 33: 'edited' }),
  )
  expect(world.sh(`git rev-parse ${commit}^1 ${commit}^2`)).toBe(`${branch}\n${target}\n`)
  expect(world.sh(`git diff --name-only ${target} ${commit}`)).toBe('f.txt\nmine\n')
  expect(stateOf(world, world.repository)).toEqual(before)
  expect(world.sh('git for-each-ref')).toBe(refs)
})

test('line ends, a missing last one and text that looks like a marker are kept', async () => {
  const world = setUp()
  const marker = '<<<<<<< main\nours\n||||||| base\n=======\ntheirs\n>>>>>>> branch\n'
  const huge = `${'='.repeat(300)}\n${'<'.repeat(5_000)} target\n`
  const versions = (word: string) => ({
    'crlf.txt': `a\r\n${word}\r\nz\r\n`,
    'endless.txt': `a\nb\n${word}`,
    'half.txt': word === 'T' ? 'a\nT' : `a\n${word}\n`,
    'marker.txt': `${marker}${huge}${word}\n${marker}`,
    'mixed.txt': `a\r\nb\n${word}\nz\r\n`,
    'bom.txt': `\ufeff${word}\nz\n`,
    'words.txt': `${word} \u202e\u0085\u2028x\ny\n`,
  })
  const base = commitOn(world, 'main', versions('0'))
  const ends = { target: commitOn(world, base, versions('T')), branch: commitOn(world, base, versions('B')) }
  const { files } = await partsOf(world, ends)
  expect(files.map((file) => [file.path, places(file).length])).toEqual(
    Object.keys(versions(''))
      .sort()
      .map((path) => [path, 1]),
  )
  const all = (choice: PlaceChoice) => files.map(({ file }) => text(file, choice))
  const lost = await commitOf(world, ends, all(BRANCH))
  for (const [path, wanted] of Object.entries(versions('B'))) expect(show(world, lost, path)).toBe(wanted)
  // Something of the branch is left, so that the target's side may win everywhere else.
  const more = commitBy(world, ends.branch, (at) => writeFileSync(join(at, 'more'), 'more\n'))
  const won = await commitOf(world, { ...ends, branch: more }, all(TARGET))
  for (const [path, wanted] of Object.entries(versions('T'))) expect(show(world, won, path)).toBe(wanted)
  const both = await commitOf(world, ends, all({ is: 'both', first: 'target' }))
  expect(show(world, both, 'endless.txt')).toBe('a\nb\nT\nB')
  expect(show(world, both, 'half.txt')).toBe('a\nT\nB\n')
  expect(show(world, both, 'crlf.txt')).toBe('a\r\nT\r\nB\r\nz\r\n')
  const edited = await commitOf(world, ends, all({ is: 'text', text: 'one\ntwo' }))
  expect(show(world, edited, 'crlf.txt')).toBe('a\r\none\r\ntwo\r\nz\r\n')
  expect(show(world, edited, 'endless.txt')).toBe('a\nb\none\ntwo')
  expect(show(world, edited, 'half.txt')).toBe('a\none\ntwo\n')
  expect(show(world, edited, 'marker.txt')).toBe(`${marker}${huge}one\ntwo\n${marker}`)
})

test('what is no text is taken from one side: bytes, links, modes, deleted and renamed files, odd names', async () => {
  const world = setUp()
  const odd = 'an "odd"\n\t[name] \u202e~x'
  const base = commitBy(world, 'main', (at) => {
    writeFileSync(join(at, 'bytes'), Buffer.from([0, 1, 2]))
    writeFileSync(join(at, 'latin'), Buffer.from('gr\xfcn\n', 'latin1'))
    symlinkSync('start', join(at, 'link'))
    for (const name of ['we-delete', 'they-delete', 'old', 'linked'])
      writeFileSync(join(at, name), `${name}\n1\n2\n3\n`)
    writeFileSync(join(at, odd), 'odd\n')
    writeFileSync(join(at, 'tool'), 'x\n')
  })
  const side = (word: string) =>
    commitBy(world, base, (at) => {
      writeFileSync(join(at, 'bytes'), Buffer.from(`\0${word}`))
      writeFileSync(join(at, 'latin'), Buffer.from(`gr\xfc${word}\n`, 'latin1'))
      world.sh(`rm link; ln -s to-${word} link; git mv old new-${word}`, at)
      writeFileSync(join(at, odd), `${word}\n`)
      writeFileSync(join(at, 'tool'), `${word}\n`)
      if (word === 'T') chmodSync(join(at, 'tool'), 0o755)
      writeFileSync(join(at, 'added'), word === 'T' ? '#!T\n' : '#!B\n')
      chmodSync(join(at, 'added'), word === 'T' ? 0o755 : 0o644)
      if (word === 'T') world.sh('rm they-delete linked; ln -s away linked; echo T >> we-delete', at)
      else world.sh('rm we-delete; echo B >> they-delete; echo B >> linked', at)
    })
  const ends = { target: side('T'), branch: side('B') }
  world.write(join(world.repository, '.git/info/attributes'), '* merge=evil filter=evil\n')
  world.sh(
    `git config merge.evil.driver 'touch ${world.dir}/ran'; git config filter.evil.clean 'touch ${world.dir}/ran; cat'`,
  )
  const { files } = await partsOf(world, ends)
  const told = files.map((file) => [file.path, file.is === 'whole' ? file.because : file.is])
  expect(told).toEqual([
    ['added', 'mode'],
    [odd, 'text'],
    ['bytes', 'not_text'],
    ['latin', 'not_text'],
    ['link', 'not_text'],
    ['linked', 'not_text'],
    ['new-B', 'moved'],
    ['new-T', 'moved'],
    ['they-delete', 'deleted'],
    ['tool', 'text'],
    ['we-delete', 'deleted'],
  ])
  const choose = (take: 'target' | 'branch'): FileChoice[] =>
    files.map((file) =>
      file.is === 'text' ? text(file.file, { is: take }) : { is: 'whole', file: file.file, take },
    )
  const taken = await commitOf(world, ends, choose('branch'))
  // The target's mode of the file stays: the branch has not touched it.
  expect(world.sh(`git diff --raw ${ends.branch} ${taken}`)).toMatch(/^:100644 100755 .* M\ttool\n$/)
  const some = choose('target').map(
    (choice): FileChoice =>
      files.find(({ file }) => file === choice.file)?.path === 'latin'
        ? { is: 'whole', file: choice.file, take: 'branch' }
        : choice,
  )
  const commit = await commitOf(world, ends, some)
  expect(world.sh(`git diff --name-only ${ends.target} ${commit}`)).toBe('latin\n')
  expect(() => world.sh(`ls ${world.dir}/ran`)).toThrow()
})

test('a file against a folder is left to somebody with a checkout, and nothing is settled without it', async () => {
  const world = setUp()
  const target = commitOn(world, 'main', { thing: 'a file\n', README: 'T\n' })
  const branch = commitOn(world, 'main', { 'thing/inside': 'a folder\n', README: 'B\n' })
  const { files } = await partsOf(world, { target, branch })
  expect(files.map(({ path, is }) => [path, is])).toEqual([
    ['README', 'text'],
    ['thing', 'by_hand'],
  ])
  expect(
    await settle(world, { target, branch }, [text(0, BRANCH), { is: 'whole', file: 1, take: 'branch' }]),
  ).toEqual({
    is: 'refused',
    why: 'thing can only be resolved in a checkout',
  })
})

test('two files renamed to one name: no version with markers can be taken', async () => {
  const world = setUp()
  const many = (word: string) => `${Array.from({ length: 20 }, (_, at) => `${word} ${at}`).join('\n')}\n`
  const base = commitOn(world, 'main', { one: many('one'), two: many('two') })
  const change = (from: string, other: string) =>
    commitBy(world, base, (at) => {
      world.sh(
        `git mv ${from} same; sed -i 's/${from} 3$/${from} of ${from}/' same; sed -i 's/${other} 7$/x/; s/${other} 3$/y/' ${other}`,
        at,
      )
    })
  const ends = { target: change('one', 'two'), branch: change('two', 'one') }
  const { files } = await partsOf(world, ends)
  for (const take of ['target', 'branch'] as const) {
    const choices = files.map(
      (file): FileChoice =>
        file.is === 'text'
          ? text(file.file, ...places(file).map(() => ({ is: take }) as const))
          : { is: 'whole', file: file.file, take },
    )
    const settled = await settle(world, ends, choices)
    expect(settled.is).toBe(take === 'branch' ? 'settled' : settled.is)
    if (settled.is === 'settled') expect(show(world, settled.commit, 'same')).not.toContain('<<<<<<<')
  }
})

test('what is not decided, too large, wrongly decided or leaves nothing is refused and says what', async () => {
  const world = setUp()
  const target = commitOn(world, 'main', { README: 'T\n', 'a.txt': 'T\n' })
  const branch = commitOn(world, 'main', { README: 'B\n', 'a.txt': 'B\n' })
  const ends = { target, branch }
  const why = async (...files: FileChoice[]) => {
    const settled = await settle(world, ends, files)
    return settled.is === 'refused' ? settled.why : 'settled'
  }
  expect(await why()).toBe('README is not decided')
  expect(await why(text(0, TARGET))).toBe('a.txt is not decided')
  expect(await why(text(0, TARGET), text(1, null))).toBe('place 1 of 1 in a.txt is not decided')
  expect(await why(text(0, TARGET), text(1, BRANCH, BRANCH))).toContain(
    'has 1 places to decide, and 2 were sent',
  )
  expect(await why(text(0, TARGET), { is: 'whole', file: 1, take: 'branch' })).toContain('place by place')
  expect(await why(text(0, TARGET), text(1, TARGET))).toContain('nothing of the change would be left')
  expect(await why(text(0, { is: 'text', text: 'x'.repeat(2_000_000) }), text(1, BRANCH))).toContain(
    'too large',
  )
  expect(await why(text(0, { is: 'text', text: '' }), text(1, BRANCH))).toBe('settled')
  expect((await settle(world, { target, branch: target }, [])).is).toBe('refused')

  const line = 'x'.repeat(1_023)
  const large = (word: string) => ({ README: `${word}\n${`${line}\n`.repeat(600)}` })
  const big = { target: commitOn(world, 'main', large('T')), branch: commitOn(world, 'main', large('B')) }
  expect((await partsOf(world, big)).files).toEqual([
    {
      is: 'whole',
      file: 0,
      path: 'README',
      because: 'too_large',
      target: { is: 'file', bytes: 614_402 },
      branch: { is: 'file', bytes: 614_402 },
    },
  ])
  expect((await settle(world, big, [{ is: 'whole', file: 0, take: 'branch' }])).is).toBe('settled')
})

test('both added it: what they share is no place', async () => {
  const world = setUp()
  const shared = 'a\nb\nc\nd\n'
  const target = commitOn(world, 'main', { new: `${shared}T\n${shared}` })
  const branch = commitOn(world, 'main', { new: `${shared}B\n${shared}` })
  const { files } = await partsOf(world, { target, branch })
  expect(files).toEqual([
    {
      is: 'text',
      file: 0,
      path: 'new',
      kind: 'both_added',
      parts: [
        { is: 'same', text: shared },
        { is: 'place', target: 'T\n', branch: 'B\n', base: null },
        { is: 'same', text: shared },
      ],
    },
  ])
})
