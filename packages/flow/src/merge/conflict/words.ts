// What people read about a conflict: the comment on the item, and how to resolve it by hand.
import type { Conflict } from '@treadle/contracts/conflict'

const FILES_MAX = 100

export function conflictComment(facts: {
  readonly branch: string
  readonly files: readonly string[]
  readonly why: string
}): string {
  const { files } = facts
  const more = files.length > FILES_MAX ? [`- and ${files.length - FILES_MAX} more`] : []
  return [
    `${facts.branch} cannot be merged: ${facts.why}.`,
    '',
    'Conflicting files:',
    ...files.slice(0, FILES_MAX).map((file) => `- ${file}`),
    ...more,
  ].join('\n')
}

/** The commands for a shell in the repository; the person's own checkout is not needed for it. */
export function resolveCommands(
  { branchName, issueNumber, projectNumber }: Pick<Conflict, 'branchName' | 'issueNumber' | 'projectNumber'>,
  onto: string,
): string[] {
  const place = `../resolve-${issueNumber}`
  const project = projectNumber === 1 ? '' : ` --project ${projectNumber}`
  return [
    `git worktree add ${place} ${branchName}`,
    `git -C ${place} merge ${onto}`,
    `# edit the files in ${place} until they are right, then:`,
    `git -C ${place} add --all`,
    `git -C ${place} commit --no-edit`,
    `git worktree remove ${place}`,
    `treadle conflicts resolve ${issueNumber}${project}`,
  ]
}
