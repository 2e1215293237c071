// The files of a change by folder, with what each adds and takes away.
import { foldersOf, type ReadFile, sizeWords } from './change.model.ts'

interface FileTreeProps {
  readonly files: readonly ReadFile[]
  readonly viewed: readonly string[]
  readonly current: string | null
  readonly onPick: (path: string) => void
}

export function FileTree({ files, viewed, current, onPick }: FileTreeProps) {
  return (
    <nav className="file-tree card" aria-label="Changed files">
      {foldersOf(files).map(({ name, files: inside }) => (
        <div key={name}>
          {name !== '' && <p className="file-tree-folder">{name}/</p>}
          <ul>
            {inside.map(({ file, name: own }) => (
              <li key={file.path}>
                <button
                  type="button"
                  className="file-tree-file"
                  aria-current={file.path === current ? 'true' : undefined}
                  onClick={() => onPick(file.path)}
                >
                  <span className="file-tree-name">
                    {viewed.includes(file.path) && <span aria-hidden="true">✓ </span>}
                    {own}
                    {viewed.includes(file.path) && <span className="unseen">, viewed</span>}
                  </span>
                  <span className="review-size">{sizeWords(file)}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
