type Node = { children: Map<string, Node>; count: number; weight: number | null }

function emptyNode(): Node {
  return { children: new Map(), count: 0, weight: null }
}

// Words with weights; every node counts the words below it, itself included.
export class Trie {
  private readonly root = emptyNode()

  get size(): number {
    return this.root.count
  }

  add(word: string, weight = 1): void {
    const isNew = !this.has(word)
    let node = this.root
    if (isNew) node.count += 1
    for (const letter of word) {
      let child = node.children.get(letter)
      if (!child) {
        child = emptyNode()
        node.children.set(letter, child)
      }
      node = child
      if (isNew) node.count += 1
    }
    node.weight = weight
  }

  has(word: string): boolean {
    const node = this.find(word)
    return node !== null && node.weight !== null
  }

  remove(word: string): boolean {
    if (!this.has(word)) return false
    let node = this.root
    node.count -= 1
    for (const letter of word) {
      const child = node.children.get(letter)
      if (!child) return false
      child.count -= 1
      if (child.count === 0) {
        node.children.delete(letter)
        return true
      }
      node = child
    }
    node.weight = null
    return true
  }

  countPrefix(prefix: string): number {
    return this.find(prefix)?.count ?? 0
  }

  // The heaviest words first; equal ones in order of the alphabet.
  complete(prefix: string, limit = 5): string[] {
    const start = this.find(prefix)
    if (!start) return []
    const found: { word: string; weight: number }[] = []
    const visit = (node: Node, word: string): void => {
      if (node.weight !== null) found.push({ word, weight: node.weight })
      for (const [letter, child] of node.children) visit(child, word + letter)
    }
    visit(start, prefix)
    found.sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    return found.slice(0, limit).map((one) => one.word)
  }

  longestPrefixOf(text: string): string | null {
    let node: Node | undefined = this.root
    let best: string | null = node.weight === null ? null : ''
    let read = ''
    for (const letter of text) {
      node = node.children.get(letter)
      if (!node) break
      read += letter
      if (node.weight !== null) best = read
    }
    return best
  }

  private find(prefix: string): Node | null {
    let node = this.root
    for (const letter of prefix) {
      const child = node.children.get(letter)
      if (!child) return null
      node = child
    }
    return node
  }
}
