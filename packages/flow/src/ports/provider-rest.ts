// The rest of a model after its provider was in trouble, shared by a whole crew.

/** One model at one provider: what rests, and what is tried again. */
export interface RestPlace {
  /** The host that serves it. */
  readonly provider: string
  readonly model: string
}

export interface Trouble {
  readonly cause: 'rate_limited' | 'overloaded' | 'network'
  /** In words, for people. */
  readonly why: string
  /** How long the provider wants to be left alone; 0: it does not say. */
  readonly retryAfterMs: number
}

export type RestAnswer =
  | { readonly is: 'go' }
  /** It rested, and this is the one call that finds out whether it goes again. */
  | { readonly is: 'try' }
  | { readonly is: 'wait'; readonly forMs: number; readonly until: string; readonly why: string }

export interface ProviderRest {
  /** May a call go out now? Asked again after a wait. */
  ask(place: RestPlace): Promise<RestAnswer>
  failed(place: RestPlace, trouble: Trouble): Promise<void>
  /** A call that went out at that moment was taken. */
  succeeded(place: RestPlace, sentAt: Date): Promise<void>
  /** The call that was to try came to nothing: somebody else may. */
  leave(place: RestPlace): Promise<void>
}
