// Numbers of migrations: the highest that the tree has, and how a number is written.

/** The folder of a layout's migrations. */
export function migrationFolder(pattern: string): string {
  const head = pattern.slice(0, pattern.indexOf('{number}'))
  return head.slice(0, Math.max(0, head.lastIndexOf('/')))
}

export function highestNumber(files: readonly string[], folder: string): number {
  return files.reduce((highest, file) => {
    const [, digits = ''] =
      (file.startsWith(`${folder}/`) && /^(\d{1,9})[_-]/.exec(file.slice(folder.length + 1))) || []
    return digits === '' ? highest : Math.max(highest, Number(digits))
  }, 0)
}

export function writtenNumber(number: number, digits: number): string {
  return String(number).padStart(digits, '0')
}
