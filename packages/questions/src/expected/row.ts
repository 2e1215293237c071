// What a question of the catalogue must be, written by hand beside the rows of the requirements.
import type { Fact } from '../facts.ts'

export type Row = {
  /** The number of the requirement; null: none is about it. */
  row: number | null
  agent: string
  event: string
  phase?: string
  facts: Record<string, Fact>
  /** Facts with which it is not asked. */
  not?: Record<string, Fact>
  type: string
  blocking: boolean
  options: string[]
  recommended?: string
  default?: string
  freeText: boolean
  /** What a person reads in it. */
  says: string[]
  implications?: Record<string, string>
}
