// The receipts of a batch and of signed merges, executed again by a stranger: another clone, an empty home.
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Item } from '@treadle/contracts/item'
import { runTrain } from '@treadle/flow/merge/train.run'
import { notRun } from '@treadle/requirements/not-run'
import { useStore } from '@treadle/store/testing/both-drivers'
import { expect, onTestFinished, type TestContext, test } from 'vitest'
import { run } from '../kit/command.ts'
import { innocent } from './planted.ts'
import { openYard, type Yard } from './yard.ts'

const open = useStore('embedded')

interface Answer {
  readonly verdict: string
  readonly checks: readonly { readonly what: string; readonly is: string; readonly words: string }[]
}
interface Place {
  readonly root: string
  readonly home: string
}

async function verify(place: Place, commit: string) {
  const ended = await run(place, ['verify', commit, '--json'])
  const answer = JSON.parse(ended.stdout || '{"verdict":"","checks":[]}') as Answer
  const of = (what: string) => answer.checks.find((check) => check.what === what)
  return { code: ended.code, answer, of, stderr: ended.stderr }
}

/** Three items, the first of which is green only together with the third. */
async function landed(context: TestContext, prepare: (yard: Yard) => void = () => undefined) {
  const yard = await openYard(await open(context), { merge: { batch: 3 }, signs: true })
  onTestFinished(yard.remove)
  prepare(yard)
  const { sh, dir } = yard.scratch
  const items = [
    await yard.deliver({ 'test/needs.sh': '[ -e lib/there.sh ]\n' }),
    await yard.deliver(innocent(1)),
    await yard.deliver({ 'lib/there.sh': 'there() { :; }\n' }),
  ]
  await runTrain(yard.world, items[0] as Item)
  const merges = await Promise.all(items.map(async (item) => (await yard.now(item)).mergeCommit ?? 'none'))
  sh(`git clone -q --bare . ../origin; git -C ../origin fetch -q ../repo 'refs/notes/*:refs/notes/*'`)
  const home = join(dir, 'stranger')
  mkdirSync(home)
  sh('git clone -q ../origin ../clone')
  return { yard, merges, stranger: { root: join(dir, 'clone'), home } }
}

test('every merge of a batch is executed again on the tree that was tested, and those between say so', async (context) => {
  const { yard, merges, stranger } = await landed(context)
  const [first = '', second = '', third = ''] = merges
  // The first tree alone is red, and nobody has claimed otherwise.
  expect(yard.isGreen(first)).toBe(false)
  expect(yard.landings).toEqual([third])
  for (const commit of [first, second, third]) {
    const { code, answer, of } = await verify(stranger, commit)
    expect(answer.verdict).toBe('yes')
    expect(code).toBe(0)
    expect(of('tests_pass')?.words).toContain('3 of 3 tests passed')
    expect(of('batch')?.words).toContain(
      commit === third ? 'this merge is the last of them' : 'this merge was not tested by itself',
    )
    expect(of('signature')?.words).toMatch(
      commit === first ? /is the first here/ : /^signed by the key of the first/,
    )
    expect(of('review')?.words).toContain('human Ada')
  }
  // Where the others of the batch are not, nobody can tell.
  const { sh } = yard.scratch
  sh(`git -C ../clone fetch -q origin 'refs/notes/*:refs/notes/*'`)
  sh(`git -C ../clone reset -q --hard ${second}; git -C ../clone update-ref -d refs/remotes/origin/main`)
  sh('git -C ../clone remote remove origin; git -C ../clone update-ref -d refs/remotes/origin/HEAD || true')
  const lost = await verify(stranger, first)
  expect(lost.code).toBe(3)
  expect(lost.of('batch')).toMatchObject({ is: 'missing' })
})

test('a signature is told: it fits, by whom, and that a commit made anew is not the one that was signed', async (context) => {
  const key = (yard: Yard) => join(yard.scratch.dir, 'key')
  const { yard, merges, stranger } = await landed(context, (at) => {
    // The key of the user comes before that of the workspace.
    const made = spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key(at)])
    if (made.status !== 0) notRun(context, 'there is no ssh-keygen', 'apt install openssh-client')
    at.scratch.sh(`git config gpg.format ssh; git config user.signingKey '${key(at)}'`)
  })
  const [, , third = ''] = merges
  const { sh } = yard.scratch
  const unknown = await verify(stranger, third)
  expect(unknown.of('signature')).toMatchObject({
    is: 'same',
    words: expect.stringMatching(/^signed by the key of/),
  })
  sh(`printf 'ada@example.invalid ' > ../known; cat '${key(yard)}.pub' >> ../known`)
  // Whom the owner knows is said by the account: what the repository says of it does not count.
  sh(`HOME='${stranger.home}' git config --global gpg.ssh.allowedSignersFile "$(cd ..; pwd)/known"`)
  expect((await verify(stranger, third)).of('signature')).toMatchObject({
    is: 'same',
    words: expect.stringContaining('ada@example.invalid'),
  })
  sh(
    `git -C ../clone cat-file commit ${third} | sed 's/Approved-by: human Ada/Approved-by: human Eve/' > ../forged`,
  )
  const forged = sh('git -C ../clone hash-object -t commit -w ../forged').trim()
  sh(`git -C ../clone fetch -q origin 'refs/notes/*:refs/notes/*'`)
  sh(`git -C ../clone notes --ref=treadle copy ${third} ${forged}`)
  const { code, of } = await verify(stranger, forged)
  expect(code).toBe(1)
  expect(of('signature')).toMatchObject({ is: 'differs' })
})
