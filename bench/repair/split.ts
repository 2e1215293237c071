// A third of the bugs is put aside before anything is tuned, and looked at once, at the end.
// Which third is a pure function of the bug's id and this seed: it depends on no result, a new bug does not
// move an old one to the other side, and nobody chose.
import { drawNumber } from './draw.ts'

const seed = 'treadle repair bench, set aside, 1'

export type Side = 'tuning' | 'aside'

export function sideOf(bugId: string): Side {
  return drawNumber(seed, bugId) < 1 / 3 ? 'aside' : 'tuning'
}
