// Whether a failure is worth remembering as something to avoid.
export type ErrorType = 'NETWORK' | 'TIMEOUT' | 'RESOURCE' | 'OTHER'

export interface GotchaEvidence {
  /** It failed, and a later attempt of the same run made it pass. */
  readonly selfCorrected: boolean
  /** One like it was seen in another run. */
  readonly seenBefore: boolean
  readonly errorType: ErrorType
  readonly reproducible: boolean
}

export interface GotchaChoice {
  readonly record: boolean
  readonly why: string
}

export function decideGotcha(facts: GotchaEvidence): GotchaChoice {
  if (facts.selfCorrected) return { record: true, why: 'it failed and was then made to pass' }
  if (facts.seenBefore) return { record: true, why: 'one like it was seen before' }
  if (facts.errorType !== 'OTHER')
    return { record: false, why: `${facts.errorType.toLowerCase()} trouble comes from outside` }
  return facts.reproducible
    ? { record: true, why: 'it fails every time' }
    : { record: false, why: 'it was seen once and may not come again' }
}

/** The first that fits: a timed-out connection is about the network. */
const SIGNS: readonly (readonly [ErrorType, RegExp])[] = [
  [
    'NETWORK',
    /\b(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPIPE|socket hang up|fetch failed|getaddrinfo|network (error|is unreachable)|connection (refused|reset))\b/i,
  ],
  ['TIMEOUT', /\b(ETIMEDOUT|ESOCKETTIMEDOUT|timed?[ -]?out|timeout (of|exceeded)|deadline exceeded)\b/i],
  [
    'RESOURCE',
    /\b(ENOMEM|ENOSPC|EMFILE|ENFILE|EDQUOT|out of memory|heap limit|no space left|too many open files|resource temporarily unavailable|oom-?kill(ed)?)\b/i,
  ],
]

export function errorTypeOf(text: string): ErrorType {
  return SIGNS.find(([, sign]) => sign.test(text))?.[0] ?? 'OTHER'
}
