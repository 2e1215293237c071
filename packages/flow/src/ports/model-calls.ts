// Calls of models that the whole crew has under way at once. Types only.

/** A call that is under way, until it is ended. */
export interface CallUnderWay {
  end(): void
}

export interface ModelCalls {
  /** Waits for its turn. Null: whoever asked does not want it any more. */
  begin(model: string, signal: AbortSignal): Promise<CallUnderWay | null>
}
