// What a model writes at the end of a reply in a talk, part by part, with the liberties that writers take.
import { z } from 'zod'
import { ArtifactType, IdeaDecision } from './idea.ts'
import { plain } from './question.ts'

const words = (max: number) => z.string().overwrite(plain).trim().min(1).max(max)

export const WrittenShare = z.number().min(0).max(1)
export const WrittenObject = z.record(z.string(), z.unknown())
/** A reply that is one object as a whole. */
export const WrittenWords = z.looseObject({ reply: z.string().max(100_000) })

export const WrittenArtifact = z.looseObject({
  type: ArtifactType,
  summary: words(2_000).nullish(),
  text: words(20_000).nullish(),
  confidence: WrittenShare.nullish(),
})
export const WrittenDecision = z.looseObject({ type: IdeaDecision.shape.type, text: words(20_000) })
export const WrittenRisk = z.union([words(20_000), z.looseObject({ text: words(20_000) })])
export const WrittenQuestion = z.union([words(4_000), z.looseObject({ text: words(4_000) })])
