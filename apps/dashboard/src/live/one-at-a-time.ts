// Work that is wanted more often than it can be done.

/** Does `work`, which never rejects, when it is called; calls while it is under way are answered by doing it once more. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let wanted = 0
  const run = async () => {
    while (wanted > 0) {
      const served = wanted
      await work()
      wanted = wanted === served ? 0 : 1
    }
  }
  return () => {
    wanted += 1
    if (wanted === 1) void run()
  }
}
