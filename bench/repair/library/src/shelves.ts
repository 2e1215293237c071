// Where books stand.
export type Shelf = { code: string; places: number; books: string[] }

export class Shelves {
  private readonly shelves = new Map<string, Shelf>()

  build(code: string, places: number): void {
    if (places <= 0) throw new RangeError('a shelf needs places')
    this.shelves.set(code, { code, places, books: [] })
  }

  put(code: string, book: string): boolean {
    const shelf = this.shelves.get(code)
    if (!shelf || shelf.books.length >= shelf.places) return false
    shelf.books.push(book)
    return true
  }

  books(code: string): string[] {
    const shelf = this.shelves.get(code)
    if (!shelf) return []
    return [...shelf.books]
  }

  codes(): string[] {
    return [...this.shelves.keys()].sort()
  }

  find(book: string): string | null {
    for (const shelf of this.shelves.values()) {
      if (shelf.books.includes(book)) return shelf.code
    }
    return null
  }

  // A shelf may hold more than its places while it is being sorted.
  free(code: string, reserved: number): number {
    const shelf = this.shelves.get(code)
    if (!shelf) return 0
    return Math.max(0, shelf.places - shelf.books.length - reserved)
  }
}
