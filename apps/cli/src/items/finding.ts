// The item of a finding, for add: the repository is looked at again, so that no item is made for what is gone.
import type { NewItem } from '@treadle/contracts/item'
import { FindingItem } from '@treadle/contracts/survey'
import { readAgentProgram, SURVEY_MAIN } from '../agent-program.ts'
import type { CliEnv } from '../env.ts'
import { UserError } from '../user-error.ts'

const LOOK = 'What there is: treadle survey'

export async function itemOfFinding(env: CliEnv, repository: string, key: string): Promise<NewItem> {
  const { code, stdout } = await readAgentProgram(env, SURVEY_MAIN, { repository, finding: key })
  // It has said itself what was wrong.
  if (code !== 0) throw new UserError('The repository could not be looked at, so nothing was added.')
  const found = FindingItem.parse(JSON.parse(stdout))
  switch (found.is) {
    case 'item':
      return found.item
    case 'gone':
      throw new UserError(
        `${key} is not there, so there is nothing to put right and nothing was added.`,
        LOOK,
      )
    case 'unknown':
      throw new UserError(`Nobody can tell whether ${key} is there: ${found.why}. Nothing was added.`, LOOK)
    case 'no_survey':
      throw new UserError(
        `${key} is no key of a finding: it begins with none of ${found.known.join(', ')}.`,
        'Take the key as treadle survey prints it.',
        2,
      )
  }
}
