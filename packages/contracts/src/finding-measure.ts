// The measure of a finding: a command that says whether it is still there. Written and read here, and nowhere else.
import { z } from 'zod'
import { CATEGORIES } from './categories.ts'
import { CommitId, Instant } from './ids.ts'

/** What a finding is called: its category, and the key that it keeps for as long as it is there. */
export const FindingName = z.strictObject({
  category: z.enum(CATEGORIES),
  key: z.string().min(1).max(500),
})
export type FindingName = z.infer<typeof FindingName>

/** The command that looks for one finding again: it ends with 1 while that is there, with 0 when it is gone. */
export function findingCommand({ category, key }: FindingName): string {
  return `treadle survey ${category} --finding '${key.replaceAll("'", QUOTE)}'`
}

const QUOTE = String.raw`'\''`
const COMMAND = /^treadle survey ([a-z-]{1,60}) --finding '([\s\S]*)'$/

/** The finding whose command this is, to the letter; null: it is some other command. */
export function findingOf(command: string): FindingName | null {
  const [, category, quoted = ''] = COMMAND.exec(command) ?? []
  const read = FindingName.safeParse({ category, key: quoted.replaceAll(QUOTE, "'") })
  return read.success && findingCommand(read.data) === command ? read.data : null
}

/** The survey that a finding is of: the first part of its key. */
export function surveyOf({ key }: Pick<FindingName, 'key'>): string {
  return key.replace(/:.*$/s, '')
}

/** What a program of the agent is to look at: a commit, which cannot be changed under its hands. */
export const FindingOrder = z.strictObject({
  /** A checkout whose git knows the commit; of its files only installed packages are read. */
  cwd: z.string().min(1),
  commit: CommitId,
  finding: FindingName,
  /** The time by which ages are told. */
  now: Instant,
  budgetMs: z.int().min(1),
})
export type FindingOrder = z.infer<typeof FindingOrder>

/** What all surveys say of one commit, and what shows that a finding was not only put out of their sight. */
export const SurveyedCommit = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('looked'),
    findings: z.array(
      z.strictObject({
        survey: z.string(),
        key: z.string(),
        /** How many lines of evidence it has. */
        places: z.int().min(1),
      }),
    ),
    /** Surveys that could not tell. */
    skipped: z.array(z.strictObject({ survey: z.string(), why: z.string() })),
    /** By their keys: what is of the same kind as the finding, whether anybody finds it or not. */
    kin: z.array(z.string()),
    /** Every file. */
    files: z.array(z.string()),
    /** The files of code that the surveys have read as the project's own. */
    read: z.array(z.string()),
    /** Code that is neither read nor a test: of somebody else by its place, or not to be parsed. */
    foreign: z.array(z.string()),
    /** Files of no text, or of too much. */
    unread: z.array(z.string()),
    /** What the project's own code loads that surveys do not read, or cannot follow. */
    leads: z.array(z.strictObject({ to: z.string(), digest: z.string().nullable() })),
  }),
  z.strictObject({ is: z.literal('not_run'), why: z.string().min(1) }),
])
export type SurveyedCommit = z.infer<typeof SurveyedCommit>
