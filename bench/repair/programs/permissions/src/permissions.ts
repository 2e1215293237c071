export type Role = { name: string; inherits?: string[]; allow?: string[]; deny?: string[] }
export type User = { id: string; roles: string[]; disabled?: boolean }

export class Permissions {
  private readonly roles = new Map<string, Role>()

  define(role: Role): this {
    this.roles.set(role.name, role)
    return this
  }

  // Everything a user is, with what the roles inherit; a circle of roles does no harm.
  rolesOf(user: User): string[] {
    const seen = new Set<string>()
    const open = [...user.roles]
    while (open.length > 0) {
      const name = open.pop() ?? ''
      const role = this.roles.get(name)
      if (!role || seen.has(name)) continue
      seen.add(name)
      open.push(...(role.inherits ?? []))
    }
    return [...seen].sort()
  }

  // A denial anywhere beats a permission anywhere.
  can(user: User, action: string): boolean {
    if (user.disabled) return false
    let allowed = false
    for (const name of this.rolesOf(user)) {
      const role = this.roles.get(name)
      if (role?.deny?.some((pattern) => covers(pattern, action))) return false
      if (role?.allow?.some((pattern) => covers(pattern, action))) allowed = true
    }
    return allowed
  }

  explain(user: User, action: string): string {
    if (user.disabled) return `${user.id} is disabled`
    const names = this.rolesOf(user)
    const denier = names.find((name) => this.roles.get(name)?.deny?.some((one) => covers(one, action)))
    if (denier) return `${denier} denies ${action}`
    const giver = names.find((name) => this.roles.get(name)?.allow?.some((one) => covers(one, action)))
    return giver ? `${giver} allows ${action}` : `no role allows ${action}`
  }

  usersWho(users: readonly User[], action: string): string[] {
    return users.filter((user) => this.can(user, action)).map((user) => user.id)
  }
}

// Patterns are parts with dots between; a star stands for one part, at the end for one or more.
export function covers(pattern: string, action: string): boolean {
  const wanted = pattern.split('.')
  const given = action.split('.')
  for (const [index, part] of wanted.entries()) {
    const actual = given[index]
    if (actual === undefined) return false
    if (part === '*') {
      if (index === wanted.length - 1) return true
      continue
    }
    if (part !== actual) return false
  }
  return wanted.length === given.length
}
