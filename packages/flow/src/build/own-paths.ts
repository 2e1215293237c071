// Paths of the files at hand, as whoever works in the worktree would write them.

/** Tests run where the worktree stands in the place of the checkout: their output has the paths of both. */
const WORKTREE = /\/\.treadle\/worktrees\/[^/]+$/

/** Takes the folders out of the paths in a text. */
export function withOwnPaths(text: string, worktree: string): string {
  const folders = [worktree, worktree.replace(WORKTREE, '')].filter((folder) => folder.length > 1)
  return folders.reduce((left, folder) => left.replaceAll(atStart(folder), ''), text)
}

/** The folder where a path begins: `/app` is no part of `src/app/page.ts`. */
function atStart(folder: string): RegExp {
  const plain = folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`(?:file://|(?<![\\p{L}\\p{N}_.@/-]))${plain}/`, 'gu')
}
