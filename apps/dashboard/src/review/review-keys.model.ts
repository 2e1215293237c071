// Keys of a review: what each does.

export type ReviewKey =
  | 'approve'
  | 'request'
  | 'next_file'
  | 'previous_file'
  | 'toggle_file'
  | 'viewed'
  | 'comment'
  | 'copy_place'
  | 'next_review'

export const REVIEW_KEYS: readonly {
  readonly key: string
  readonly is: ReviewKey
  readonly words: string
}[] = [
  { key: 'j', is: 'next_file', words: 'Next file' },
  { key: 'k', is: 'previous_file', words: 'Previous file' },
  { key: 'o', is: 'toggle_file', words: 'Open or collapse the file' },
  { key: 'v', is: 'viewed', words: 'Mark the file as viewed' },
  { key: 'c', is: 'comment', words: 'Comment on a line; arrow keys choose it' },
  { key: 'e', is: 'copy_place', words: 'Copy the file and line, for your editor' },
  { key: 'r', is: 'request', words: 'Request changes' },
  { key: 'a', is: 'approve', words: 'Approve' },
  { key: 'n', is: 'next_review', words: 'Next waiting review' },
]

export interface ReviewKeyPress {
  readonly key: string
  /** Ctrl, Alt or Meta is held, or somebody else has taken the key. */
  readonly modified: boolean
  /** It was pressed in a field, a menu or a dialog. */
  readonly elsewhere: boolean
  /** g was pressed just before: then the key leads to another screen. */
  readonly going: boolean
  /** The key is held down: nobody approves by leaning on it. */
  readonly repeated: boolean
}

export function decideReviewKey({
  key,
  modified,
  elsewhere,
  going,
  repeated,
}: ReviewKeyPress): ReviewKey | null {
  if (modified || elsewhere || going) return null
  const found = REVIEW_KEYS.find((each) => each.key === key)?.is ?? null
  const isMove = found === 'next_file' || found === 'previous_file'
  return repeated && !isMove ? null : found
}
