// A file that nothing uses is taken away.
import { cannot, type Mend } from '../mend.ts'

const SURVEY = 'unused-file'

export const unusedFileMend: Mend = {
  survey: SURVEY,
  plan: async (project, key) => {
    const path = key.slice(SURVEY.length + 1)
    return (await project.files()).includes(path)
      ? { is: 'edits', edits: new Map([[path, null]]), what: `took away ${path}, which nothing uses` }
      : cannot(`there is no file ${path}`)
  },
}
