// A command that names a script by a wrong name gets the name of the one script that is near.
import { correctedCommand, replaceCommand } from '@treadle/survey/surveys/document-command'
import { cannot, type Mend } from '../mend.ts'

export const documentCommandMend: Mend = {
  survey: 'document-command',
  plan: async (project, key) => {
    const corrected = await correctedCommand(project, key)
    if (corrected === null)
      return cannot(
        'no program knows which command is meant: there is not exactly one script with a name near it',
      )
    const { path, command, near } = corrected
    const text = await project.read(path)
    if (text === null) return cannot(`${path} cannot be read`)
    const edits = new Map([[path, replaceCommand(text, command, near)]])
    return { is: 'edits', edits, what: `${path} says \`${near}\` now, and no longer \`${command}\`` }
  },
}
