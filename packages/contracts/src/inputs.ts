// Calls of functions with inputs that stand in tests and others near them, and what several programs make of them.
import { z } from 'zod'

export const InputCall = z.strictObject({
  /** The module that exports the function, relative to the project. */
  file: z.string(),
  /** The name under which it is exported; of a method, that of its class, a point and its own. */
  name: z.string(),
  /** How many of the first arguments make the object whose method is called; absent: none is made. */
  made: z.int().optional(),
  /** The arguments as source text, each written out in full. */
  args: z.array(z.string()),
})
export type InputCall = z.infer<typeof InputCall>

export const CallOutcome = z.discriminatedUnion('is', [
  /** In one spelling: equal texts are equal values. */
  z.strictObject({ is: z.literal('value'), text: z.string() }),
  z.strictObject({ is: z.literal('threw'), text: z.string() }),
  /** There is no such function, it did not end, or it answers differently each time. */
  z.strictObject({ is: z.literal('none'), why: z.string() }),
])
export type CallOutcome = z.infer<typeof CallOutcome>

export const InputsOrder = z.strictObject({
  /** A checkout of the head; it is not written to. */
  cwd: z.string(),
  /** Files as they were at the base; null: not there. All others are as in the checkout. */
  base: z.record(z.string(), z.string().nullable()),
  calls: z.array(InputCall),
  /** How many other patches for the base are tried, and for how long that may take at most; 0: none are. */
  candidatesMax: z.int(),
  searchMs: z.int(),
  budgetMs: z.int(),
})
export type InputsOrder = z.infer<typeof InputsOrder>

/** A patch of the base that turns its tests green, found by a search that does not know the head. */
export const OtherPatch = z.strictObject({
  diff: z.string(),
  outcomes: z.array(CallOutcome),
})
export type OtherPatch = z.infer<typeof OtherPatch>

export const InputsCompared = z.discriminatedUnion('is', [
  z.strictObject({
    is: z.literal('compared'),
    /** One for each call, in order. */
    head: z.array(CallOutcome),
    base: z.array(CallOutcome),
    others: z.array(OtherPatch),
    /** What became of the search for other patches, in a sentence. */
    search: z.string(),
    /** The clock ended the search before it had tried as many as it should and found one. */
    isCut: z.boolean(),
  }),
  z.strictObject({ is: z.literal('not_run'), why: z.string().min(1) }),
])
export type InputsCompared = z.infer<typeof InputsCompared>
