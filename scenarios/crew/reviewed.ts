// A crew whose deliveries are read by a program of the owner, which also builds them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleOf, type ShopOptions } from '../kit/shop.ts'
import type { Workspace } from '../kit/workspace.ts'

type Shop = (options: ShopOptions) => Workspace

/** One program for both parts: builds where it is given a command, reviews where it is not. */
const PROGRAM = `if [ -n "$TREADLE_COMMAND" ]; then
  n=\${TREADLE_COMMAND#/project-start }
  cat "$TREADLE_PROMPT_FILE" >> "$HOME/build-$n.md"
  file=$(printf 'src/module-%02d.txt' "$n")
  while [ -e "$HOME/stay" ]; do sleep 0.2; done
  sed 's/wrong/right/' "$file" > "$file.new" && mv "$file.new" "$file"
  # The same change again would be a person's.
  echo once >> "$HOME/builds-of-$n"
  times=$(wc -l < "$HOME/builds-of-$n")
  [ "$times" -eq 1 ] || echo "louder: $times" >> "$file"
  touch local.txt
  printf 'I made module %s right.\\nTreadle: done\\n' "$n" > "$TREADLE_RESPONSE_FILE"
  exit 0
fi
n=$(sed -n 's/^Project to Review: #\\([0-9]*\\).*/\\1/p' "$TREADLE_PROMPT_FILE" | head -1)
cp "$TREADLE_PROMPT_FILE" "$HOME/review-$n-$TREADLE_ATTEMPT.md"
cat "\${TREADLE_RESPONSE_FILE%.response.md}.session" > "$HOME/session-$n-$TREADLE_ATTEMPT.json"
echo once >> "$HOME/reviews-of-$n"
for file in src/*.txt; do echo 'state: wrong' > "$file"; done
git log > "$HOME/history-$n" 2>&1
git add --all; git commit --quiet --message mine; git update-ref refs/heads/main HEAD
if [ -e "$HOME/hold-$n" ]; then while [ ! -e "$HOME/go-$n" ]; do sleep 0.2; done; fi
cat "$HOME/answer-$n-$TREADLE_ATTEMPT" > "$TREADLE_RESPONSE_FILE"
cat >> "$TREADLE_RESPONSE_FILE" <<'END'

Treadle-usage: {"model":"some-model","inputTokens":1000,"outputTokens":100,"usd":0.25}
Treadle: done
END
`
const settings = {
  flags: { enable_review_agent: true },
  merge: { target: 'main' },
  engines: { default: 'command', reviewer: 'command', command: { run: 'sh "$HOME/agent.sh"' } },
} as const

export function reviewedPlace(shop: Shop, count: number, changes: object = {}): Workspace {
  const files = { '.gitignore': 'local.txt\n' }
  const scripts = Array.from({ length: count }, () => [])
  const workspace = shop({ scripts, files, settings: { ...settings, ...changes } as never })
  writeFileSync(join(workspace.home, 'agent.sh'), PROGRAM)
  return workspace
}

export function answer({ home }: Workspace, n: number, cycle: number, text: string): void {
  writeFileSync(join(home, `answer-${n}-${cycle}`), text)
}
export const criteria = (n: number) => ({ body: `Please.\n\n- [ ] AC-1.1.a: module ${n} says right` })
/** `asked`: what earlier reviews asked for, by id. */
export const approval = (n: number, asked: readonly string[] = []) =>
  JSON.stringify({
    status: 'APPROVED',
    criteria: [
      { id: 'AC-1.1.a', met: true, evidence: `${moduleOf(n)}:2`, quote: 'state: right' },
      ...asked.map((id) => ({ id, met: true, evidence: `${moduleOf(n)}:3`, quote: 'state: right' })),
    ],
    quality: { tests: { result: 'PASS', details: '' } },
  })
export const rejection = (n: number, cycle: number) => `**Status:** REJECTED

**Acceptance Criteria Review:**
- [ ] Criterion 1: Not met (reason: module ${n} does not say it loudly)

**Feedback for Execution Agent:**
1. Say it louder, time ${cycle}
`
