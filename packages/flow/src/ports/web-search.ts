// Looking something up on the web, where the owner has configured somebody who does. Types only.
export interface WebResult {
  readonly title: string
  readonly url: string
  readonly text: string
}

export type WebFound =
  | { readonly is: 'found'; readonly results: readonly WebResult[] }
  | { readonly is: 'failed'; readonly why: string }

export interface WebSearch {
  /** Ends within its own time limit, and with an answer in any case. */
  search(query: string): Promise<WebFound>
}
