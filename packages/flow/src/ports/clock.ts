// Time as the flow reads it and waits by it.

export interface Clock {
  now(): Date
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
