// The name of an idea, as an argument.
import { InvalidArgumentError } from 'commander'

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const CHARS_MAX = 60

export function asSlug(text: string): string {
  if (!SLUG.test(text) || text.length > CHARS_MAX)
    throw new InvalidArgumentError('must be the name of an idea in small letters, such as shopping-list.')
  return text
}
