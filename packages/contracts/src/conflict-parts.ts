// A conflict in parts that a person decides one by one, and the decisions.
import { z } from 'zod'
import { ConflictKind, NamedCommit } from './conflict.ts'
import { CommitId } from './ids.ts'

/** A stretch of a file: the same whoever wins, or a place where both sides changed the same lines. */
export const ConflictPart = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('same'), text: z.string() }),
  z.strictObject({
    is: z.literal('place'),
    target: z.string(),
    branch: z.string(),
    /** As it was where both began; null: the file was not there. */
    base: z.string().nullable(),
  }),
])
export type ConflictPart = z.infer<typeof ConflictPart>

/** What one side has under a name. */
export const SideVersion = z.strictObject({
  is: z.enum(['file', 'executable', 'link', 'submodule']),
  /** Null: nobody has counted. */
  bytes: z.int().nullable(),
})
export type SideVersion = z.infer<typeof SideVersion>

/** Why a file is taken from one side or the other, and not line by line. */
export const WholeBecause = z.enum(['deleted', 'moved', 'not_text', 'mode', 'too_large'])
export type WholeBecause = z.infer<typeof WholeBecause>

/** The number of a file in its conflict. Names of files need not be text, so that decisions go by this. */
const FileNumber = z.int().min(0)
const inConflict = { file: FileNumber, path: z.string() }

export const PartedFile = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('text'), ...inConflict, kind: ConflictKind, parts: z.array(ConflictPart) }),
  z.strictObject({
    is: z.literal('whole'),
    ...inConflict,
    because: WholeBecause,
    /** Null: the side has no such file. */
    target: SideVersion.nullable(),
    branch: SideVersion.nullable(),
  }),
  /** A file on one side and a folder on the other: only somebody with a checkout can part the two. */
  z.strictObject({ is: z.literal('by_hand'), ...inConflict }),
])
export type PartedFile = z.infer<typeof PartedFile>

export const ConflictParts = z.strictObject({
  branch: NamedCommit,
  target: NamedCommit,
  /** None: the branch merges as it is now. */
  files: z.array(PartedFile),
  /** Conflict too, and are not here; as long as there are any, nothing can be settled this way. */
  more: z.int(),
})
export type ConflictParts = z.infer<typeof ConflictParts>

/** The longest text that a person may put in a place. */
export const PLACE_CHARS_MAX = 200_000
// A null byte would make the file one that is no text.
const PlaceText = z
  .string()
  .max(PLACE_CHARS_MAX)
  .regex(/^[^\0]*$/, 'a null byte is no text')

export const PlaceChoice = z.discriminatedUnion('is', [
  z.strictObject({ is: z.literal('target') }),
  z.strictObject({ is: z.literal('branch') }),
  z.strictObject({ is: z.literal('both'), first: z.enum(['target', 'branch']) }),
  z.strictObject({ is: z.literal('text'), text: PlaceText }),
])
export type PlaceChoice = z.infer<typeof PlaceChoice>

export const FileChoice = z.discriminatedUnion('is', [
  /** In the order of the places; null: not decided. */
  z.strictObject({
    is: z.literal('text'),
    file: FileNumber,
    places: z.array(PlaceChoice.nullable()).max(10_000),
  }),
  z.strictObject({ is: z.literal('whole'), file: FileNumber, take: z.enum(['target', 'branch']) }),
])
export type FileChoice = z.infer<typeof FileChoice>

/** What was decided, and about which two commits. */
export const Settlement = z.strictObject({
  target: CommitId,
  branch: CommitId,
  files: z.array(FileChoice).max(1_000),
})
export type Settlement = z.infer<typeof Settlement>
