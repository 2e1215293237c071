// Who signed a merge, as far as its history or a list tells, and what that decides. Pure.
import type { SignatureFound } from '@treadle/contracts/receipt'
import type { Check } from './compare.ts'

/** The first signed merge of a history; `key` is null where its signature cannot be checked here. */
export interface FirstSigned {
  readonly commit: string
  readonly key: string | null
}

export interface SignerFacts {
  readonly commit: string
  readonly signature: SignatureFound
  readonly first: FirstSigned | null
  /** Whether treadle.json, as it was before the merge, names the key; null: it names none at all. */
  readonly isNamed: boolean | null
  /** The list of signers that was handed in; null: none was. */
  readonly list: string | null
}

/** The signer of a merge, for programs. */
export interface Signer {
  readonly is: 'first_key' | 'another_key' | 'unsigned' | 'listed' | 'not_listed' | 'bad' | 'unchecked'
  readonly key: string | null
  /** Whose key it is, where a list or this account says so. */
  readonly by: string | null
  /** The first signed merge. */
  readonly first: string | null
}

export function signerOf({ commit, signature, first, list }: SignerFacts): Signer {
  const key = 'key' in signature ? (signature.key ?? null) : null
  const by = signature.is === 'good' ? signature.by : null
  const signer = (is: Signer['is']): Signer => ({ is, key, by, first: first?.commit ?? null })
  switch (signature.is) {
    case 'bad':
      return signer('bad')
    case 'none':
      return signer('unsigned')
    case 'unchecked':
      return signer(list === null ? 'unchecked' : 'not_listed')
    case 'good':
    case 'unknown_key':
      if (list !== null) return signer(signature.is === 'good' ? 'listed' : 'not_listed')
      return signer(isFirstKey({ commit, key, first }) ? 'first_key' : 'another_key')
  }
}

function isFirstKey({
  commit,
  key,
  first,
}: Pick<SignerFacts, 'commit' | 'first'> & { readonly key: string | null }): boolean {
  return first === null || first.commit === commit || (key !== null && first.key === key)
}

/** A merge that anybody could have made by hand is no yes, whatever its tests say. */
export function checkSigner(facts: SignerFacts): Check {
  const { commit, signature, first, isNamed, list } = facts
  const { is, key, by } = signerOf(facts)
  const told = `${key ?? 'a key'}${by === null ? '' : `, ${by}`}`
  const check = (how: Check['is'], words: string): Check => ({ what: 'signature', is: how, words })
  switch (is) {
    case 'bad':
      return check('differs', 'the commit is not the one that was signed')
    case 'unsigned':
      return list === null
        ? check('missing', 'unsigned: anybody who can write to the repository can have made it by hand')
        : check('differs', `unsigned, and only keys of ${list} count`)
    case 'unchecked':
      return check('missing', `signed, and it could not be checked: ${whyOf(signature)}`)
    case 'listed':
      return check(
        'same',
        `signed by ${by}, whose key ${list} names (${key}); it covers the hash of the receipt`,
      )
    case 'not_listed':
      return check('differs', `signed by a key that ${list} does not name (${told})`)
    case 'first_key':
      return check(...firstWords({ ...facts, told, isKnown: by !== null }))
    case 'another_key': {
      const other = `signed by another key (${told}) than the first signed merge ${first?.commit.slice(0, 12) ?? commit}`
      if (by !== null) return check('same', `${other}; it is known here`)
      const named = isNamed ? '; treadle.json names it, which anybody who can commit can write' : ''
      return check('missing', `${other}${named}; if you know the key: --signers FILE`)
    }
  }
}

function firstWords({
  commit,
  first,
  told,
  isNamed,
  isKnown,
}: SignerFacts & { readonly told: string; readonly isKnown: boolean }): [Check['is'], string] {
  const words = `signed by the key of the first signed merge (${told}); it covers the hash of the receipt`
  if (isKnown || (first !== null && first.commit !== commit)) return ['same', words]
  if (isNamed === false)
    return [
      'missing',
      `signed by the key of the first signed merge (${told}), which this is, and treadle.json before it names other keys; treadle init names those of a workspace`,
    ]
  return isNamed === true
    ? ['same', `${words}; this is the first, and treadle.json before it names the key`]
    : ['unchecked', `is the first here, so its key is taken on trust (${told}); --signers FILE would tell`]
}

function whyOf(signature: SignatureFound): string {
  return signature.is === 'unchecked' ? signature.why : ''
}
