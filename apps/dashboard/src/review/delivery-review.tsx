// One delivery: its change with the comments of the reader, why to trust it, and the decision about exactly this commit.
import type { DeliveryChange } from '@treadle/contracts/delivery'
import { itemLabel } from '@treadle/contracts/ids'
import type { Item, ItemState } from '@treadle/contracts/item'
import type { Review } from '@treadle/contracts/review'
import { useMemo, useRef, useState } from 'react'
import type { Live } from '../live/live.ts'
import { useActions } from '../parts/actions.tsx'
import { actionsOf, isDelivered } from '../parts/item-actions.model.ts'
import { initiallyOpen, placeIn, type ReadFile, readFiles, sizeWords, totalsOf } from './change.model.ts'
import { ChangeNotices } from './change-notices.tsx'
import { DecideBar } from './decide-bar.tsx'
import { type DiffColumns, FileDiff } from './file-diff.tsx'
import { FileTree } from './file-tree.tsx'
import { forgetDrafts, useMarks } from './kept-marks.ts'
import { toggled, withDraft, withoutDraft } from './marks.model.ts'
import type { ReviewKey } from './review-keys.model.ts'
import { TrustCard } from './trust-card.tsx'
import { useReviewKeys } from './use-review-keys.ts'

interface DeliveryReviewProps {
  readonly live: Live
  readonly item: Item
  readonly change: DeliveryChange
  /** The review as it is now, with checks that ended meanwhile. */
  readonly review: Review
  readonly onSince: (cycle: number | null) => void
  readonly onNext: (done: string | null) => void
  readonly onSay: (words: string) => void
}

export function DeliveryReview(props: DeliveryReviewProps) {
  const { live, item, change, review, onSince, onNext, onSay } = props
  const files = useMemo(() => readFiles(change.files), [change.files])
  const totals = useMemo(() => totalsOf(files), [files])
  const [marks, mark] = useMarks(change.head)
  const [columns, setColumns] = useState<DiffColumns>('unified')
  const [isKnownCut, setKnownCut] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const [tab, setTab] = useState<'change' | 'trust'>('change')
  const at = useFiles(files, marks.viewed)
  const decide = useDecision({ item, head: change.head, onNext })
  const isUnread = totals.cut.length > 0 && !isKnownCut
  const isOpen = isDecidable(item, change, review)
  const onApprove = () => {
    if (isUnread) onSay('Some of the change is not shown. Say that you know, then approve.')
    else if (isOpen) void decide.approve()
  }
  const onViewed = (path: string) => {
    mark((known) => ({ ...known, viewed: toggled(known.viewed, path) }))
    at.toggleTo(path, marks.viewed.includes(path))
  }
  useReviewKeys((key: ReviewKey) => {
    if (key === 'approve') onApprove()
    else if (key === 'request') setAsking(isOpen)
    else if (key === 'next_review') onNext(null)
    else if (key === 'viewed' && at.current !== null) onViewed(at.current)
    else if (key === 'copy_place') void copyPlace(at.place(), onSay)
    else at.onKey(key)
  })
  return (
    <div className="review-columns" data-tab={tab}>
      <fieldset className="review-tabs" aria-label="What is shown">
        {(['change', 'trust'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={tab === each} onClick={() => setTab(each)}>
            {each === 'change' ? `Change ${sizeWords(totals)}` : 'Why trust it?'}
          </button>
        ))}
      </fieldset>
      <div className="review-change" ref={at.here}>
        <ChangeTools
          change={change}
          files={files}
          viewed={marks.viewed}
          columns={columns}
          onColumns={setColumns}
          onSince={onSince}
        />
        <ChangeNotices
          change={change}
          totals={totals}
          isKnownCut={isKnownCut}
          onKnownCut={isOpen ? setKnownCut : null}
        />
        {files.length > 1 && (
          <FileTree files={files} viewed={marks.viewed} current={at.current} onPick={at.show} />
        )}
        {files.map((file) => (
          <FileDiff
            key={file.path}
            file={file}
            columns={columns}
            isOpen={at.open.has(file.path)}
            isCurrent={at.current === file.path}
            isViewed={marks.viewed.includes(file.path)}
            drafts={marks.drafts.filter(({ path }) => path === file.path)}
            earlier={change.comments.filter(({ path }) => path === file.path)}
            mayComment={isOpen && change.since === null}
            onToggle={at.toggle}
            onViewed={onViewed}
            onDraft={(draft) => mark((known) => ({ ...known, drafts: withDraft(known.drafts, draft) }))}
            onDrop={(draft) => mark((known) => ({ ...known, drafts: withoutDraft(known.drafts, draft) }))}
          />
        ))}
        {isOpen && (
          <DecideBar
            item={item}
            isUnread={isUnread}
            isBusy={decide.isBusy}
            drafts={marks.drafts}
            words={marks.words}
            isOpen={isAsking}
            onOpen={setAsking}
            onWords={(words) => mark((known) => ({ ...known, words }))}
            onApprove={onApprove}
            onRequest={(fresh) => void decide.request({ ...marks, fresh })}
          />
        )}
      </div>
      <TrustCard
        review={review}
        live={live}
        comments={change.comments}
        ticked={marks.ticked}
        onTick={(key) => mark((known) => ({ ...known, ticked: toggled(known.ticked, key) }))}
        onOpen={(path) => {
          setTab('change')
          at.show(path)
        }}
      />
    </div>
  )
}

/** Only what lies there to be decided, and can be read, is decided. */
function isDecidable(item: Item, { head, base }: DeliveryChange, review: Review): boolean {
  if (base === null || item.headCommit !== head) return false
  return actionsOf(item, isDelivered(item, [review])).includes('review')
}

interface DecisionProps {
  readonly item: Item
  readonly head: string
  readonly onNext: (done: string | null) => void
}

function useDecision({ item, head, onNext }: DecisionProps) {
  const { busy, act, mayDecide } = useActions()
  const label = itemLabel(item)
  const key = `decide:${label}`
  const params = { projectNumber: item.projectNumber, issueNumber: item.number }
  const isBusy = busy.has(key)
  return {
    isBusy,
    async approve() {
      if (isBusy || !mayDecide) return
      const done = `Approved ${label}. It is merged once the merged tree has passed its checks.`
      const failed = `${label} was not approved.`
      const work = (client: Live['client']) => client.approveItem({ params, body: { head } })
      if (await act({ key, done, failed, work })) onNext(`Approved ${label}.`)
    },
    async request({ words, drafts, fresh }: RequestGiven) {
      if (isBusy || !mayDecide) return
      const comments = drafts.length === 0 ? {} : { comments: [...drafts] }
      const body = { feedback: words.trim(), head, ...comments, ...(fresh ? { fresh } : {}) }
      const states: ItemState[] = []
      const work = async (client: Live['client']) =>
        states.push((await client.rejectItem({ params, body })).state)
      const done = `Requested changes for ${label}.`
      if (!(await act({ key, done, failed: `${label} was not sent back.`, work }))) return
      forgetDrafts(head)
      onNext(states.includes('escalated') ? `${done} It was sent back too often and is left to you.` : done)
    },
  }
}

interface RequestGiven {
  readonly words: string
  readonly drafts: Parameters<typeof withDraft>[0]
  readonly fresh: boolean
}

const STEPS: Partial<Record<ReviewKey, number>> = { next_file: 1, previous_file: -1 }

/** Which file the reader is at, and which are open. What was viewed before is closed. */
function useFiles(files: readonly ReadFile[], viewed: readonly string[]) {
  const here = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    return new Set([...initiallyOpen(files)].filter((path) => !viewed.includes(path)))
  })
  const toggleTo = (path: string, isOpen: boolean) =>
    setOpen((known) => new Set(isOpen ? [...known, path] : [...known].filter((each) => each !== path)))
  const toggle = (path: string) => {
    setCurrent(path)
    toggleTo(path, !open.has(path))
  }
  const section = (path: string) =>
    [...(here.current?.querySelectorAll<HTMLElement>('.review-file') ?? [])].find(
      ({ dataset }) => dataset.path === path,
    )
  const show = (path: string) => {
    setCurrent(path)
    toggleTo(path, true)
    section(path)?.focus({ preventScroll: true })
    requestAnimationFrame(() => section(path)?.scrollIntoView({ block: 'start' }))
  }
  /** At once where the lines are there already: the next key may follow quickly. */
  const focusLine = (path: string) => {
    const button = () => section(path)?.querySelector<HTMLElement>('.line-button')
    if (button()) button()?.focus()
    else requestAnimationFrame(() => button()?.focus())
  }
  const onKey = (key: ReviewKey) => {
    const index = files.findIndex(({ path }) => path === current)
    const by = STEPS[key] ?? 0
    const target = files[Math.min(files.length - 1, Math.max(0, index + by))]
    if (target === undefined) return
    if (by !== 0) show(target.path)
    else if (key === 'toggle_file') toggle(target.path)
    else if (key === 'comment') {
      show(target.path)
      focusLine(target.path)
    }
  }
  /** The line with the focus, if it is one of this file. */
  const place = () => {
    const file = files.find(({ path }) => path === current)
    if (file === undefined) return null
    const line = document.activeElement?.closest<HTMLElement>('.line-button')
    const isHere = line != null && section(file.path)?.contains(line) === true
    return placeIn(file, isHere ? Number(line.dataset.line) : null)
  }
  return { here, current, open, toggle, toggleTo, show, onKey, place }
}

async function copyPlace(place: string | null, onSay: (words: string) => void): Promise<void> {
  if (place === null) return onSay('Choose a file first: press j.')
  try {
    await navigator.clipboard.writeText(place)
    onSay(`Copied ${place}`)
  } catch {
    onSay(`The clipboard cannot be used here. The place is ${place}`)
  }
}

interface ChangeToolsProps {
  readonly change: DeliveryChange
  readonly files: readonly ReadFile[]
  readonly viewed: readonly string[]
  readonly columns: DiffColumns
  readonly onColumns: (columns: DiffColumns) => void
  readonly onSince: (cycle: number | null) => void
}

function ChangeTools({ change, files, viewed, columns, onColumns, onSince }: ChangeToolsProps) {
  const totals = totalsOf(files)
  const earlier = change.deliveries.filter(({ cycle }) => cycle < change.review.cycle)
  const seen = files.filter(({ path }) => viewed.includes(path)).length
  return (
    <div className="review-tools">
      <p>
        <strong>{files.length === 1 ? '1 file' : `${files.length} files`}</strong>{' '}
        <span className="review-size">{sizeWords(totals)}</span>
        <span className="muted">
          {' '}
          · {seen} of {files.length} viewed
        </span>
      </p>
      {earlier.length > 0 && (
        <label>
          Show{' '}
          <select
            value={change.since?.cycle ?? ''}
            onChange={(event) => onSince(event.target.value === '' ? null : Number(event.target.value))}
          >
            <option value="">the whole change</option>
            {earlier.map(({ cycle }) => (
              <option key={cycle} value={cycle}>
                changes since delivery {cycle}
              </option>
            ))}
          </select>
        </label>
      )}
      <fieldset className="diff-head" aria-label="Columns">
        {(['unified', 'split'] as const).map((each) => (
          <button key={each} type="button" aria-pressed={columns === each} onClick={() => onColumns(each)}>
            {each === 'unified' ? 'Unified' : 'Split'}
          </button>
        ))}
      </fieldset>
    </div>
  )
}
