// The files of a worktree as surveys read them, as it stands: what was taken away is not there, though git still lists it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { lineTimes } from '@treadle/git/line-times'
import { openProjectTree } from '@treadle/git/project-tree'
import type { SurveyedTree } from '@treadle/survey/project'

export function openWorktreeFiles(repository: string, env: Readonly<Record<string, string>>): SurveyedTree {
  const git = { repository, env }
  const tree = openProjectTree(git)
  return {
    files: async () => (await tree.files()).filter((path) => existsSync(join(repository, path))),
    read: (path) => tree.read(path),
    lineTimes: (path) => lineTimes(git, path),
  }
}
